// Entries of state k in an array by coordinate, whose row i begins at i * leading.
template <class Real>
struct Rows {
    const Real *from;
    int k, leading;

    DQDT_FUNCTION Real operator[](int i) const {
        return from[(long long)i * leading + k];
    }
};

template <class Real>
struct ResultRows {
    Real *to;
    int k, leading;

    DQDT_FUNCTION Real &operator[](int i) const {
        return to[(long long)i * leading + k];
    }
};

// An entry that was loaded before, loaded again instead of kept in a register.
template <class Real>
DQDT_FUNCTION Real again(const Rows<Real> &rows, int i) {
    return *static_cast<const volatile Real *>(rows.from + (long long)i * rows.leading + rows.k);
}

template <class Real>
DQDT_FUNCTION Real again(const Real *entries, int i) {
    return entries[i];
}

// Stores an entry of a result. Returns whether it is finite.
template <class Result, class Real>
DQDT_FUNCTION bool store(Result result, int i, Real value) {
    result[i] = value;
    return isfinite(value);
}

template <class Real, int N>
DQDT_FUNCTION void load_rows(Rows<Real> from, Real (&to)[N]) {
    DQDT_UNROLL
    for (int i = 0; i < N; i++) to[i] = from[i];
}

template <class Real, int N>
DQDT_FUNCTION void store_rows(const Real (&from)[N], ResultRows<Real> to) {
    DQDT_UNROLL
    for (int i = 0; i < N; i++) to[i] = from[i];
}

template <class Real, int M, int N>
DQDT_FUNCTION void store_rows(const Real (&from)[M][N], ResultRows<Real> to) {
    DQDT_UNROLL
    for (int i = 0; i < M; i++) {
        DQDT_UNROLL
        for (int j = 0; j < N; j++) to[i * N + j] = from[i][j];
    }
}
