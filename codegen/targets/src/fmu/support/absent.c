// Functions without meaning for a mechanism: it has no variables of these types, no clocks and no structural parameters.

// A call without variables succeeds; any variable is unknown.
static fmi3Status refuse_variables(const struct unit *unit, const char *function, const char *what, size_t n) {
    if (!may_call(unit, function, MODE_ANY)) return fmi3Error;
    return n == 0 ? fmi3OK : report(unit, fmi3Error, "%s: the unit has no %s", function, what);
}

#define NO_VARIABLES(type)                                                                                        \
    FMI3_STATUS(fmi3Get##type)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,            \
                               fmi3##type values[], size_t n_values) {                                            \
        (void)references, (void)values;                                                                           \
        return refuse_variables(instance, "fmi3Get" #type, "variables of type " #type, n + n_values);             \
    }                                                                                                             \
    FMI3_STATUS(fmi3Set##type)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,            \
                               const fmi3##type values[], size_t n_values) {                                      \
        (void)references, (void)values;                                                                           \
        return refuse_variables(instance, "fmi3Set" #type, "variables of type " #type, n + n_values);             \
    }

NO_VARIABLES(Float32)
NO_VARIABLES(Int8)
NO_VARIABLES(UInt8)
NO_VARIABLES(Int16)
NO_VARIABLES(UInt16)
NO_VARIABLES(Int32)
NO_VARIABLES(UInt32)
NO_VARIABLES(Int64)
NO_VARIABLES(UInt64)
NO_VARIABLES(Boolean)
NO_VARIABLES(String)
#undef NO_VARIABLES

FMI3_STATUS(fmi3GetBinary)(fmi3Instance instance, const fmi3ValueReference references[], size_t n, size_t sizes[],
                           fmi3Binary values[], size_t n_values) {
    (void)references, (void)sizes, (void)values;
    return refuse_variables(instance, "fmi3GetBinary", "variables of type Binary", n + n_values);
}

FMI3_STATUS(fmi3SetBinary)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                           const size_t sizes[], const fmi3Binary values[], size_t n_values) {
    (void)references, (void)sizes, (void)values;
    return refuse_variables(instance, "fmi3SetBinary", "variables of type Binary", n + n_values);
}

FMI3_STATUS(fmi3GetClock)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          fmi3Clock values[]) {
    (void)references, (void)values;
    return refuse_variables(instance, "fmi3GetClock", "clocks", n);
}

FMI3_STATUS(fmi3SetClock)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Clock values[]) {
    (void)references, (void)values;
    return refuse_variables(instance, "fmi3SetClock", "clocks", n);
}

FMI3_STATUS(fmi3GetIntervalDecimal)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]) {
    (void)references, (void)intervals, (void)qualifiers;
    return refuse_variables(instance, "fmi3GetIntervalDecimal", "clocks", n);
}

FMI3_STATUS(fmi3GetIntervalFraction)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                     fmi3IntervalQualifier qualifiers[]) {
    (void)references, (void)counters, (void)resolutions, (void)qualifiers;
    return refuse_variables(instance, "fmi3GetIntervalFraction", "clocks", n);
}

FMI3_STATUS(fmi3GetShiftDecimal)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                 fmi3Float64 shifts[]) {
    (void)references, (void)shifts;
    return refuse_variables(instance, "fmi3GetShiftDecimal", "clocks", n);
}

FMI3_STATUS(fmi3GetShiftFraction)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                  fmi3UInt64 counters[], fmi3UInt64 resolutions[]) {
    (void)references, (void)counters, (void)resolutions;
    return refuse_variables(instance, "fmi3GetShiftFraction", "clocks", n);
}

FMI3_STATUS(fmi3SetIntervalDecimal)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    const fmi3Float64 intervals[]) {
    (void)references, (void)intervals;
    return refuse_variables(instance, "fmi3SetIntervalDecimal", "clocks", n);
}

FMI3_STATUS(fmi3SetIntervalFraction)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]) {
    (void)references, (void)counters, (void)resolutions;
    return refuse_variables(instance, "fmi3SetIntervalFraction", "clocks", n);
}

FMI3_STATUS(fmi3SetShiftDecimal)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                 const fmi3Float64 shifts[]) {
    (void)references, (void)shifts;
    return refuse_variables(instance, "fmi3SetShiftDecimal", "clocks", n);
}

FMI3_STATUS(fmi3SetShiftFraction)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                  const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]) {
    (void)references, (void)counters, (void)resolutions;
    return refuse_variables(instance, "fmi3SetShiftFraction", "clocks", n);
}

FMI3_STATUS(fmi3GetNumberOfVariableDependencies)(fmi3Instance instance, fmi3ValueReference reference, size_t *n) {
    (void)reference, (void)n;
    return report(instance, fmi3Error, "fmi3GetNumberOfVariableDependencies: the unit has no arrays");
}

FMI3_STATUS(fmi3GetVariableDependencies)(fmi3Instance instance, fmi3ValueReference dependent,
                                         size_t dependent_elements[], fmi3ValueReference independents[],
                                         size_t independent_elements[], fmi3DependencyKind kinds[], size_t n) {
    (void)dependent, (void)dependent_elements, (void)independents, (void)independent_elements, (void)kinds, (void)n;
    return report(instance, fmi3Error, "fmi3GetVariableDependencies: the unit has no arrays");
}

FMI3_STATUS(fmi3EnterConfigurationMode)(fmi3Instance instance) {
    return report(instance, fmi3Error, "fmi3EnterConfigurationMode: the unit has no structural parameters");
}

FMI3_STATUS(fmi3ExitConfigurationMode)(fmi3Instance instance) {
    return report(instance, fmi3Error, "fmi3ExitConfigurationMode: the unit has no structural parameters");
}

FMI3_STATUS(fmi3GetOutputDerivatives)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                      const fmi3Int32 orders[], fmi3Float64 values[], size_t n_values) {
    (void)references, (void)n, (void)orders, (void)values, (void)n_values;
    return report(instance, fmi3Error, "fmi3GetOutputDerivatives: the unit offers no derivatives of outputs by time");
}

FMI3_STATUS(fmi3ActivateModelPartition)(fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time) {
    (void)clock, (void)time;
    return report(instance, fmi3Error, "fmi3ActivateModelPartition: the unit has no clocks");
}
