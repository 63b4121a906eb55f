// Drives a functional mock-up unit through its functions: values, derivatives, saved states,
// several instances, and calls that are wrong. Arguments: the instantiation token, the number of
// states, the state, the inputs. Prints the rates of the state with their derivatives, then the
// state after a second of co-simulation, and ends with status 1 at the first check that fails. With
// NO_MODEL_EXCHANGE it drives co-simulation only.
#include "fmi/fmi3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int messages = 0;

static void count_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                          fmi3String message) {
    (void)environment;
    messages++;
    fprintf(stderr, "[%d %s] %s\n", (int)status, category, message);
}

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            fprintf(stderr, "line %d: %s fails\n", __LINE__, #condition); \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

// A call that must fail with an error and a message.
#define REFUSED(call)                \
    do {                             \
        const int before = messages; \
        CHECK((call) == fmi3Error);  \
        CHECK(messages > before);    \
    } while (0)

#if !defined(NO_MODEL_EXCHANGE)
static void check_wrong_calls(const char *token) {
    double value = 0.0, next;
    size_t n;
    fmi3Boolean a, b, c, d, e;
    fmi3FMUState state = NULL;
    const fmi3ValueReference time = 0, unknown = 100000, first = 1;
    CHECK(fmi3InstantiateModelExchange("x", "another token", "", false, false, NULL, count_message) == NULL);
    CHECK(fmi3InstantiateModelExchange(NULL, token, "", false, false, NULL, count_message) == NULL);
    CHECK(fmi3InstantiateScheduledExecution("x", token, "", false, false, NULL, count_message, NULL, NULL, NULL) == NULL);
    CHECK(fmi3SetTime(NULL, 0.0) == fmi3Error);
    CHECK(fmi3GetFloat64(NULL, &time, 1, &value, 1) == fmi3Error);
    CHECK(fmi3DoStep(NULL, 0.0, 0.1, true, &a, &b, &c, &next) == fmi3Error);
    fmi3FreeInstance(NULL);
    fmi3Instance unit = fmi3InstantiateModelExchange("x", token, NULL, false, false, NULL, count_message);
    CHECK(unit != NULL);
    // In the wrong order. Starts can be read before the initialization.
    REFUSED(fmi3GetFloat64(unit, &time, 1, &value, 1));
    CHECK(fmi3GetFloat64(unit, &first, 1, &value, 1) == fmi3OK);
    REFUSED(fmi3SetTime(unit, 0.0));
    REFUSED(fmi3ExitInitializationMode(unit));
    REFUSED(fmi3EnterContinuousTimeMode(unit));
    REFUSED(fmi3DoStep(unit, 0.0, 0.1, true, &a, &b, &c, &next));
    REFUSED(fmi3Terminate(unit));
    // Wrong values.
    REFUSED(fmi3EnterInitializationMode(unit, false, 0.0, 1.0, true, 0.0));
    REFUSED(fmi3EnterInitializationMode(unit, true, -1.0, 0.0, false, 0.0));
    REFUSED(fmi3SetFloat64(unit, &unknown, 1, &value, 1));
    REFUSED(fmi3SetFloat64(unit, &time, 1, &value, 1));
    REFUSED(fmi3SetFloat64(unit, &first, 1, NULL, 1));
    REFUSED(fmi3SetFloat64(unit, NULL, 1, &value, 1));
    REFUSED(fmi3SetFloat64(unit, &first, 1, &value, 0));
    value = NAN;
    REFUSED(fmi3SetFloat64(unit, &first, 1, &value, 1));
    CHECK(fmi3EnterInitializationMode(unit, true, 1e-10, 0.0, false, 0.0) == fmi3OK);
    REFUSED(fmi3EnterInitializationMode(unit, false, 0.0, 0.0, false, 0.0));
    REFUSED(fmi3GetFloat64(unit, &unknown, 1, &value, 1));
    REFUSED(fmi3GetFloat64(unit, NULL, 1, &value, 1));
    CHECK(fmi3ExitInitializationMode(unit) == fmi3OK);
    REFUSED(fmi3EnterStepMode(unit));
    REFUSED(fmi3UpdateDiscreteStates(unit, NULL, &a, &b, &c, &d, &next));
    CHECK(fmi3UpdateDiscreteStates(unit, &a, &b, &c, &d, &e, &next) == fmi3OK);
    CHECK(!a && !b && !c && !d && !e);
    CHECK(fmi3EnterContinuousTimeMode(unit) == fmi3OK);
    REFUSED(fmi3EnterContinuousTimeMode(unit));
    CHECK(fmi3GetNumberOfContinuousStates(unit, &n) == fmi3OK);
    REFUSED(fmi3GetNumberOfContinuousStates(unit, NULL));
    REFUSED(fmi3SetContinuousStates(unit, &value, n + 1));
    REFUSED(fmi3GetContinuousStateDerivatives(unit, NULL, n));
    REFUSED(fmi3SetTime(unit, NAN));
    // Functions without meaning.
    fmi3Int32 number = 0;
    fmi3Clock clock = false;
    CHECK(fmi3GetInt32(unit, NULL, 0, NULL, 0) == fmi3OK);
    REFUSED(fmi3GetInt32(unit, &first, 1, &number, 1));
    REFUSED(fmi3GetClock(unit, &first, 1, &clock));
    REFUSED(fmi3EnterConfigurationMode(unit));
    REFUSED(fmi3EvaluateDiscreteStates(unit));
    REFUSED(fmi3GetOutputDerivatives(unit, &first, 1, &number, &value, 1));
    REFUSED(fmi3ActivateModelPartition(unit, 0, 0.0));
    REFUSED(fmi3GetNumberOfVariableDependencies(unit, first, &n));
    // Saved states.
    REFUSED(fmi3SetFMUState(unit, NULL));
    REFUSED(fmi3GetFMUState(unit, NULL));
    REFUSED(fmi3SerializedFMUStateSize(unit, NULL, &n));
    CHECK(fmi3GetFMUState(unit, &state) == fmi3OK);
    CHECK(fmi3SerializedFMUStateSize(unit, state, &n) == fmi3OK);
    fmi3Byte *bytes = malloc(n);
    CHECK(bytes != NULL);
    REFUSED(fmi3SerializeFMUState(unit, state, bytes, n - 1));
    CHECK(fmi3SerializeFMUState(unit, state, bytes, n) == fmi3OK);
    fmi3FMUState other = NULL;
    REFUSED(fmi3DeserializeFMUState(unit, bytes, n - 1, &other));
    bytes[0] ^= 1;
    REFUSED(fmi3DeserializeFMUState(unit, bytes, n, &other));
    CHECK(other == NULL);
    free(bytes);
    // A saved state belongs to instances for the same interface.
    fmi3Instance co = fmi3InstantiateCoSimulation("co", token, "", false, false, false, false, NULL,
                                                  0, NULL, count_message, NULL);
    CHECK(co != NULL);
    REFUSED(fmi3SetFMUState(co, state));
    REFUSED(fmi3GetNumberOfContinuousStates(co, &n));
    fmi3FreeInstance(co);
    CHECK(fmi3FreeFMUState(unit, &state) == fmi3OK && state == NULL);
    CHECK(fmi3Terminate(unit) == fmi3OK);
    REFUSED(fmi3SetTime(unit, 0.0));
    CHECK(fmi3Reset(unit) == fmi3OK);
    CHECK(fmi3EnterInitializationMode(unit, false, 0.0, 0.0, false, 0.0) == fmi3OK);
    fmi3FreeInstance(unit);
}

#endif

static fmi3Instance start_co_simulation(const char *token) {
    fmi3Instance unit = fmi3InstantiateCoSimulation("co", token, "", false, false, false, false, NULL, 0, NULL,
                                                    count_message, NULL);
    CHECK(unit != NULL);
    CHECK(fmi3EnterInitializationMode(unit, true, 1e-9, 0.0, false, 0.0) == fmi3OK);
    CHECK(fmi3ExitInitializationMode(unit) == fmi3OK);
    return unit;
}

static void step(fmi3Instance unit, double t, double h) {
    fmi3Boolean needs_event_mode, terminate, early;
    double last;
    CHECK(fmi3DoStep(unit, t, h, true, &needs_event_mode, &terminate, &early, &last) == fmi3OK);
    CHECK(fabs(last - (t + h)) < 1e-12 && !early && !needs_event_mode && !terminate);
}

// Several instances in turn, and a saved state that is restored twice: all give the same bits.
static void check_instances(const char *token, size_t nx) {
    enum { COUNT = 50 };
    fmi3Instance units[COUNT];
    double first[64], other[64];
    fmi3ValueReference references[64];
    CHECK(nx <= 64);
    for (size_t i = 0; i < nx; i++) references[i] = (fmi3ValueReference)(1 + i);
    for (int k = 0; k < COUNT; k++) units[k] = start_co_simulation(token);
    for (int n = 0; n < 5; n++) {
        for (int k = 0; k < COUNT; k++) step(units[k], 0.01 * n, 0.01);
    }
    CHECK(fmi3GetFloat64(units[0], references, nx, first, nx) == fmi3OK);
    for (int k = 1; k < COUNT; k++) {
        CHECK(fmi3GetFloat64(units[k], references, nx, other, nx) == fmi3OK);
        CHECK(memcmp(first, other, nx * sizeof(double)) == 0);
        if (k > 1) fmi3FreeInstance(units[k]);
    }
    fmi3FMUState state = NULL, copy = NULL;
    size_t size;
    CHECK(fmi3GetFMUState(units[0], &state) == fmi3OK);
    CHECK(fmi3SerializedFMUStateSize(units[0], state, &size) == fmi3OK);
    fmi3Byte *bytes = malloc(size);
    CHECK(bytes != NULL);
    CHECK(fmi3SerializeFMUState(units[0], state, bytes, size) == fmi3OK);
    for (int n = 5; n < 10; n++) step(units[0], 0.01 * n, 0.01);
    CHECK(fmi3GetFloat64(units[0], references, nx, first, nx) == fmi3OK);
    CHECK(fmi3DeserializeFMUState(units[1], bytes, size, &copy) == fmi3OK);
    CHECK(fmi3SetFMUState(units[1], copy) == fmi3OK);
    for (int n = 5; n < 10; n++) step(units[1], 0.01 * n, 0.01);
    CHECK(fmi3GetFloat64(units[1], references, nx, other, nx) == fmi3OK);
    CHECK(memcmp(first, other, nx * sizeof(double)) == 0);
    free(bytes);
    CHECK(fmi3FreeFMUState(units[0], &state) == fmi3OK);
    CHECK(fmi3FreeFMUState(units[1], &copy) == fmi3OK);
    REFUSED(fmi3DoStep(units[0], 5.0, 0.1, true, NULL, NULL, NULL, NULL));
    fmi3FreeInstance(units[0]);
    fmi3FreeInstance(units[1]);
}

#if !defined(NO_MODEL_EXCHANGE)
static void check_model_exchange(int argc, char **argv) {
    double x[64], u[64], rates[64], sums[64];
    fmi3ValueReference states[64], derivatives[64], inputs[64];
    fmi3Boolean a, b, c, d, e;
    double next;
    const char *token = argv[1];
    const size_t nx = (size_t)atoi(argv[2]), nu = (size_t)argc - 3 - nx;
    CHECK(nx <= 64 && nu <= 64);
    for (size_t i = 0; i < nx; i++) {
        x[i] = atof(argv[3 + i]);
        states[i] = (fmi3ValueReference)(1 + i);
        derivatives[i] = (fmi3ValueReference)(1 + nx + i);
    }
    for (size_t i = 0; i < nu; i++) {
        u[i] = atof(argv[3 + nx + i]);
        inputs[i] = (fmi3ValueReference)(1 + 2 * nx + i);
    }
    fmi3Instance unit = fmi3InstantiateModelExchange("unit", token, "", false, true, NULL, count_message);
    CHECK(unit != NULL);
    CHECK(fmi3SetFloat64(unit, states, nx, x, nx) == fmi3OK);
    CHECK(fmi3EnterInitializationMode(unit, false, 0.0, 0.0, false, 0.0) == fmi3OK);
    CHECK(fmi3ExitInitializationMode(unit) == fmi3OK);
    CHECK(fmi3UpdateDiscreteStates(unit, &a, &b, &c, &d, &e, &next) == fmi3OK);
    CHECK(fmi3EnterContinuousTimeMode(unit) == fmi3OK);
    CHECK(fmi3SetFloat64(unit, inputs, nu, u, nu) == fmi3OK);
    CHECK(fmi3SetContinuousStates(unit, x, nx) == fmi3OK);
    CHECK(fmi3GetContinuousStateDerivatives(unit, rates, nx) == fmi3OK);
    for (size_t i = 0; i < nx; i++) printf("%.17g\n", rates[i]);
    // One column at a time; the adjoint gives the same numbers.
    for (size_t j = 0; j < nx; j++) {
        double seed = 1.0, row[64];
        CHECK(fmi3GetDirectionalDerivative(unit, derivatives, nx, &states[j], 1, &seed, 1, sums, nx) == fmi3OK);
        for (size_t i = 0; i < nx; i++) {
            CHECK(fmi3GetAdjointDerivative(unit, &derivatives[i], 1, states, nx, &seed, 1, row, nx) == fmi3OK);
            CHECK(fabs(row[j] - sums[i]) <= 1e-15 * fabs(row[j]));
            printf("%.17g\n", sums[i]);
        }
    }
    CHECK(fmi3Terminate(unit) == fmi3OK);
    fmi3FreeInstance(unit);
    check_wrong_calls(token);
}
#endif

// A step that ends after the stop time is refused; one that ends there is not.
static void check_stop_time(const char *token) {
    fmi3Boolean a, b, c;
    double last;
    fmi3Instance unit = fmi3InstantiateCoSimulation("co", token, "", false, false, false, false,
                                                    NULL, 0, NULL, count_message, NULL);
    CHECK(unit != NULL);
    CHECK(fmi3EnterInitializationMode(unit, false, 0.0, 0.0, true, 0.02) == fmi3OK);
    CHECK(fmi3ExitInitializationMode(unit) == fmi3OK);
    step(unit, 0.0, 0.01);
    REFUSED(fmi3DoStep(unit, 0.01, 0.02, true, &a, &b, &c, &last));
    step(unit, 0.01, 0.01);
    fmi3FreeInstance(unit);
}

// Prints the state after a hundred steps of a hundredth of a second.
static void print_motion(const char *token, size_t nx) {
    double x[64];
    fmi3ValueReference references[64];
    fmi3Instance unit = start_co_simulation(token);
    for (int n = 0; n < 100; n++) step(unit, 0.01 * n, 0.01);
    for (size_t i = 0; i < nx; i++) references[i] = (fmi3ValueReference)(1 + i);
    CHECK(fmi3GetFloat64(unit, references, nx, x, nx) == fmi3OK);
    for (size_t i = 0; i < nx; i++) printf("%.17g\n", x[i]);
    fmi3FreeInstance(unit);
}

int main(int argc, char **argv) {
    CHECK(argc >= 3);
    CHECK(strcmp(fmi3GetVersion(), "3.0") == 0);
#if defined(NO_MODEL_EXCHANGE)
    CHECK(fmi3InstantiateModelExchange("x", argv[1], "", false, false, NULL, count_message) == NULL);
#else
    check_model_exchange(argc, argv);
#endif
    check_instances(argv[1], (size_t)atoi(argv[2]));
    check_stop_time(argv[1]);
    print_motion(argv[1], (size_t)atoi(argv[2]));
    return 0;
}
