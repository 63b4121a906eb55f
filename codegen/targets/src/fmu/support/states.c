// Saved states of an instance, in memory and as bytes.

// Bytes before the state: they name the unit and the length, so that bytes of other units are refused.
struct state_header {
    char token[64];
    double size;
};

static void fill_header(struct state_header *header) {
    memset(header, 0, sizeof *header);
    strncpy(header->token, UNIT_TOKEN, sizeof header->token - 1);
    header->size = (double)sizeof(struct unit_state);
}

FMI3_STATUS(fmi3GetFMUState)(fmi3Instance instance, fmi3FMUState *state) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3GetFMUState", MODE_ANY)) return fmi3Error;
    if (state == NULL) return report(unit, fmi3Error, "fmi3GetFMUState: the state is NULL");
    if (*state == NULL) *state = malloc(sizeof(struct unit_state));
    if (*state == NULL) return report(unit, fmi3Error, "fmi3GetFMUState: the memory does not suffice");
    memcpy(*state, &unit->now, sizeof unit->now);
    return fmi3OK;
}

// Returns true if an instance of this kind can be in the mode of a saved state.
static bool has_mode(const struct unit *unit, const struct unit_state *state) {
    int modes = MODE_INSTANTIATED | MODE_INITIALIZATION | MODE_TERMINATED;
    modes |= unit->is_model_exchange ? MODE_EVENT | MODE_CONTINUOUS : MODE_STEP;
    if (unit->event_mode_used) modes |= MODE_EVENT;
    for (int mode = MODE_INSTANTIATED; mode <= MODE_TERMINATED; mode *= 2) {
        if ((mode & modes) != 0 && fabs(state->mode - mode) <= 0.0) return true;
    }
    return false;
}

FMI3_STATUS(fmi3SetFMUState)(fmi3Instance instance, fmi3FMUState state) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3SetFMUState", MODE_ANY)) return fmi3Error;
    if (state == NULL) return report(unit, fmi3Error, "fmi3SetFMUState: the state is NULL");
    if (!has_mode(unit, state)) {
        return report(unit, fmi3Error,
                      "fmi3SetFMUState: this instance has no such mode: an instance for another "
                      "interface saved the state, or it is damaged");
    }
    memcpy(&unit->now, state, sizeof unit->now);
    unit->has_model = unit->has_dependent = false;
    forget_results(unit);
    return fmi3OK;
}

FMI3_STATUS(fmi3FreeFMUState)(fmi3Instance instance, fmi3FMUState *state) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3FreeFMUState", MODE_ANY)) return fmi3Error;
    if (state == NULL) return fmi3OK;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

FMI3_STATUS(fmi3SerializedFMUStateSize)(fmi3Instance instance, fmi3FMUState state, size_t *size) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3SerializedFMUStateSize", MODE_ANY)) return fmi3Error;
    if (state == NULL || size == NULL) {
        return report(unit, fmi3Error, "fmi3SerializedFMUStateSize: an argument is NULL");
    }
    *size = sizeof(struct state_header) + sizeof(struct unit_state);
    return fmi3OK;
}

FMI3_STATUS(fmi3SerializeFMUState)(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
    struct unit *unit = instance;
    struct state_header header;
    if (!may_call(unit, "fmi3SerializeFMUState", MODE_ANY)) return fmi3Error;
    if (state == NULL || bytes == NULL || size < sizeof header + sizeof(struct unit_state)) {
        return report(unit, fmi3Error, "fmi3SerializeFMUState: an argument is NULL, or the bytes are too few");
    }
    fill_header(&header);
    memcpy(bytes, &header, sizeof header);
    memcpy(bytes + sizeof header, state, sizeof(struct unit_state));
    return fmi3OK;
}

FMI3_STATUS(fmi3DeserializeFMUState)(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                     fmi3FMUState *state) {
    struct unit *unit = instance;
    struct state_header header;
    if (!may_call(unit, "fmi3DeserializeFMUState", MODE_ANY)) return fmi3Error;
    if (bytes == NULL || state == NULL) {
        return report(unit, fmi3Error, "fmi3DeserializeFMUState: an argument is NULL");
    }
    fill_header(&header);
    if (size != sizeof header + sizeof(struct unit_state) || memcmp(bytes, &header, sizeof header) != 0) {
        return report(unit, fmi3Error, "fmi3DeserializeFMUState: the bytes are not those of a state of this unit");
    }
    if (*state == NULL) *state = malloc(sizeof(struct unit_state));
    if (*state == NULL) return report(unit, fmi3Error, "fmi3DeserializeFMUState: the memory does not suffice");
    memcpy(*state, bytes + sizeof header, sizeof(struct unit_state));
    return fmi3OK;
}
