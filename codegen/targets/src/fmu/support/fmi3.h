// The interface of FMI 3.0 as this unit implements it: types, constants and function signatures.
//
// Define FMI3_FUNCTION_PREFIX to give all functions a prefix, for units that are linked statically.
#ifndef FMI3_INTERFACE_OF_UNITS
#define FMI3_INTERFACE_OF_UNITS

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(FMI3_FUNCTION_PREFIX)
#define FMI3_JOIN_NAMES(a, b) a##b
#define FMI3_JOIN(a, b) FMI3_JOIN_NAMES(a, b)
#define FMI3_NAME(name) FMI3_JOIN(FMI3_FUNCTION_PREFIX, name)
#else
#define FMI3_NAME(name) name
#endif

#if defined(_WIN32) && !defined(FMI3_FUNCTION_PREFIX)
#define FMI3_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI3_EXPORT __attribute__((visibility("default")))
#else
#define FMI3_EXPORT
#endif

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;

typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;

typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;

typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status,
                                       fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(
    fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean set_requested, fmi3Boolean get_allowed,
    fmi3Boolean step_finished, fmi3Boolean can_return_early, fmi3Boolean *early_return_requested,
    fmi3Float64 *early_return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

// Signature of a function that returns a status.
#define FMI3_STATUS(name) FMI3_EXPORT fmi3Status FMI3_NAME(name)

FMI3_EXPORT const char *FMI3_NAME(fmi3GetVersion)(void);
FMI3_STATUS(fmi3SetDebugLogging)(fmi3Instance instance, fmi3Boolean on, size_t n, const fmi3String categories[]);

FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateModelExchange)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log);
FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed, const fmi3ValueReference required[],
    size_t n_required, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3IntermediateUpdateCallback intermediate_update);
FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateScheduledExecution)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback clock_update,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock);
FMI3_EXPORT void FMI3_NAME(fmi3FreeInstance)(fmi3Instance instance);

FMI3_STATUS(fmi3EnterInitializationMode)(fmi3Instance instance, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                         fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop);
FMI3_STATUS(fmi3ExitInitializationMode)(fmi3Instance instance);
FMI3_STATUS(fmi3EnterEventMode)(fmi3Instance instance);
FMI3_STATUS(fmi3Terminate)(fmi3Instance instance);
FMI3_STATUS(fmi3Reset)(fmi3Instance instance);
FMI3_STATUS(fmi3EnterConfigurationMode)(fmi3Instance instance);
FMI3_STATUS(fmi3ExitConfigurationMode)(fmi3Instance instance);

// Functions that read and write variables of one type.
#define FMI3_ACCESS(type)                                                                                         \
    FMI3_STATUS(fmi3Get##type)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,            \
                               fmi3##type values[], size_t n_values);                                             \
    FMI3_STATUS(fmi3Set##type)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,            \
                               const fmi3##type values[], size_t n_values);
FMI3_ACCESS(Float32)
FMI3_ACCESS(Float64)
FMI3_ACCESS(Int8)
FMI3_ACCESS(UInt8)
FMI3_ACCESS(Int16)
FMI3_ACCESS(UInt16)
FMI3_ACCESS(Int32)
FMI3_ACCESS(UInt32)
FMI3_ACCESS(Int64)
FMI3_ACCESS(UInt64)
FMI3_ACCESS(Boolean)
FMI3_ACCESS(String)
#undef FMI3_ACCESS
FMI3_STATUS(fmi3GetBinary)(fmi3Instance instance, const fmi3ValueReference references[], size_t n, size_t sizes[],
                           fmi3Binary values[], size_t n_values);
FMI3_STATUS(fmi3SetBinary)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                           const size_t sizes[], const fmi3Binary values[], size_t n_values);
FMI3_STATUS(fmi3GetClock)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          fmi3Clock values[]);
FMI3_STATUS(fmi3SetClock)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Clock values[]);

FMI3_STATUS(fmi3GetNumberOfVariableDependencies)(fmi3Instance instance, fmi3ValueReference reference, size_t *n);
FMI3_STATUS(fmi3GetVariableDependencies)(fmi3Instance instance, fmi3ValueReference dependent,
                                         size_t dependent_elements[], fmi3ValueReference independents[],
                                         size_t independent_elements[], fmi3DependencyKind kinds[], size_t n);

FMI3_STATUS(fmi3GetFMUState)(fmi3Instance instance, fmi3FMUState *state);
FMI3_STATUS(fmi3SetFMUState)(fmi3Instance instance, fmi3FMUState state);
FMI3_STATUS(fmi3FreeFMUState)(fmi3Instance instance, fmi3FMUState *state);
FMI3_STATUS(fmi3SerializedFMUStateSize)(fmi3Instance instance, fmi3FMUState state, size_t *size);
FMI3_STATUS(fmi3SerializeFMUState)(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size);
FMI3_STATUS(fmi3DeserializeFMUState)(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                     fmi3FMUState *state);

FMI3_STATUS(fmi3GetDirectionalDerivative)(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                          size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                          const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                          size_t n_sensitivity);
FMI3_STATUS(fmi3GetAdjointDerivative)(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                      size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                      const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                      size_t n_sensitivity);

FMI3_STATUS(fmi3GetIntervalDecimal)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]);
FMI3_STATUS(fmi3GetIntervalFraction)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                     fmi3IntervalQualifier qualifiers[]);
FMI3_STATUS(fmi3GetShiftDecimal)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                 fmi3Float64 shifts[]);
FMI3_STATUS(fmi3GetShiftFraction)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                  fmi3UInt64 counters[], fmi3UInt64 resolutions[]);
FMI3_STATUS(fmi3SetIntervalDecimal)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    const fmi3Float64 intervals[]);
FMI3_STATUS(fmi3SetIntervalFraction)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);
FMI3_STATUS(fmi3SetShiftDecimal)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                 const fmi3Float64 shifts[]);
FMI3_STATUS(fmi3SetShiftFraction)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                  const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);

FMI3_STATUS(fmi3EvaluateDiscreteStates)(fmi3Instance instance);
FMI3_STATUS(fmi3UpdateDiscreteStates)(fmi3Instance instance, fmi3Boolean *needs_update, fmi3Boolean *terminate,
                                      fmi3Boolean *nominals_changed, fmi3Boolean *states_changed,
                                      fmi3Boolean *has_next_time, fmi3Float64 *next_time);

FMI3_STATUS(fmi3EnterContinuousTimeMode)(fmi3Instance instance);
FMI3_STATUS(fmi3CompletedIntegratorStep)(fmi3Instance instance, fmi3Boolean no_set_state_before,
                                         fmi3Boolean *enter_event_mode, fmi3Boolean *terminate);
FMI3_STATUS(fmi3SetTime)(fmi3Instance instance, fmi3Float64 time);
FMI3_STATUS(fmi3SetContinuousStates)(fmi3Instance instance, const fmi3Float64 states[], size_t n);
FMI3_STATUS(fmi3GetContinuousStateDerivatives)(fmi3Instance instance, fmi3Float64 derivatives[], size_t n);
FMI3_STATUS(fmi3GetEventIndicators)(fmi3Instance instance, fmi3Float64 indicators[], size_t n);
FMI3_STATUS(fmi3GetContinuousStates)(fmi3Instance instance, fmi3Float64 states[], size_t n);
FMI3_STATUS(fmi3GetNominalsOfContinuousStates)(fmi3Instance instance, fmi3Float64 nominals[], size_t n);
FMI3_STATUS(fmi3GetNumberOfEventIndicators)(fmi3Instance instance, size_t *n);
FMI3_STATUS(fmi3GetNumberOfContinuousStates)(fmi3Instance instance, size_t *n);

FMI3_STATUS(fmi3EnterStepMode)(fmi3Instance instance);
FMI3_STATUS(fmi3GetOutputDerivatives)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                      const fmi3Int32 orders[], fmi3Float64 values[], size_t n_values);
FMI3_STATUS(fmi3DoStep)(fmi3Instance instance, fmi3Float64 time, fmi3Float64 length,
                        fmi3Boolean no_set_state_before, fmi3Boolean *needs_event_mode, fmi3Boolean *terminate,
                        fmi3Boolean *early_return, fmi3Float64 *last_time);
FMI3_STATUS(fmi3ActivateModelPartition)(fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time);

#endif // FMI3_INTERFACE_OF_UNITS
