// Advances x by a step of length h from time t, by the classical Runge-Kutta method. Returns the
// verdict of an evaluation that fails; x is unchanged then.
struct Rk4 {
    template <class Real>
    static DQDT_FUNCTION int step(const Model<Real> *model, Real t, Real h, const Real *u, Real *x) {
        Real first[NX] = {}, middle[NX] = {}, at[NX];
        const Real half = Real(0.5) * h, sixth = h / Real(6.0);
        DQDT_UNROLL
        for (int i = 0; i < NX; i++) at[i] = x[i];
        // Not unrolled: the equations are in the code once.
        DQDT_ROLLED
        for (int s = 0; s < 4; s++) {
            Real rate[NX];
            const int verdict = dqdt(model, s == 0 ? t : s == 3 ? t + h : t + half, at, u, rate);
            if (verdict != 0) return verdict;
            const Real ahead = s == 2 ? h : half;
            DQDT_UNROLL
            for (int i = 0; i < NX; i++) {
                if (s == 3) x[i] += sixth * (first[i] + middle[i] + middle[i] + rate[i]);
                if (s == 0) first[i] = rate[i];
                middle[i] = s == 2 ? middle[i] + rate[i] : rate[i];
                if (s < 3) at[i] = mul_add(rate[i], ahead, x[i]);
            }
        }
        project(x);
        return 0;
    }
};

//if rates
// The same by the semi-implicit Euler method: speeds first, coordinates with the new speeds.
struct SemiImplicitEuler {
    template <class Real>
    static DQDT_FUNCTION int step(const Model<Real> *model, Real t, Real h, const Real *u, Real *x) {
        Real dx[NX], rate[NQ > 0 ? NQ : 1], next[NX];
        int verdict = dqdt(model, t, x, u, dx);
        if (verdict != 0) return verdict;
        DQDT_UNROLL
        for (int i = 0; i < NX; i++) next[i] = i >= NQ && i < NQ + NV ? x[i] + h * dx[i] : x[i];
        verdict = rates(model, t, next, rate);
        if (verdict != 0) return verdict;
        DQDT_UNROLL
        for (int i = 0; i < NX; i++) {
            x[i] = i < NQ ? next[i] + h * rate[i < NQ ? i : 0] : i < NQ + NV ? next[i] : next[i] + h * dx[i];
        }
        project(x);
        return 0;
    }
};

//end
// A rollout: steps of length h from time t. With inputs_per_step the inputs of step s begin at row
// s * NU of u, otherwise they are held. Rows of all arrays begin `leading` entries apart.
template <class Real>
struct Rollout {
    Real t, h;
    int steps, inputs_per_step, leading;
};

// The cost of nothing. A cost of your own has the same functions: that of a step, from the state at
// its start, and that of the last state.
struct NoCost {
    template <class Real>
    DQDT_FUNCTION Real step(int, Real, const Real *, const Real *) const {
        return Real(0.0);
    }
    template <class Real>
    DQDT_FUNCTION Real end(Real, const Real *) const {
        return Real(0.0);
    }
};

// Where the results of a rollout are stored; NULL for what is not needed. last: NX rows; all: steps
// * NX rows; completed: the number of steps before the sample became singular; totals: the sum of
// the costs.
template <class Real>
struct RolloutResults {
    Real *last, *all;
    int *completed;
    Real *totals;
};

// Integrates sample k.
template <class Method, class Real, class Cost>
DQDT_FUNCTION void rollout_of_sample(const Model<Real> *model, Rollout<Real> run, int k, const Real *x, const Real *u,
                                     RolloutResults<Real> results, const Cost &cost) {
//if no inputs
    (void)u;
//end
    Real at[NX], inputs[NU > 0 ? NU : 1] = {};
    load_rows(Rows<Real>{x, k, run.leading}, at);
    Real total = Real(0.0);
    int completed = run.steps;
    DQDT_ROLLED
    for (int s = 0; s < run.steps; s++) {
        const Real t = run.t + run.h * Real(s);
//if inputs
        if (s == 0 || run.inputs_per_step) {
            load_rows(Rows<Real>{u + (long long)s * NU * run.leading, k, run.leading}, inputs);
        }
//end
        if (completed == run.steps) {
            const Real of_step = cost.step(s, t, at, inputs);
            if (Method::step(model, t, run.h, inputs, at) == 0) {
                total += of_step;
            } else {
                completed = s;
            }
        }
        if (results.all) {
            store_rows(at, ResultRows<Real>{results.all + (long long)s * NX * run.leading, k, run.leading});
        }
    }
    const Real of_end = cost.end(run.t + run.h * Real(run.steps), at);
    if (results.last) store_rows(at, ResultRows<Real>{results.last, k, run.leading});
    if (results.completed) results.completed[k] = completed;
    if (results.totals) results.totals[k] = run.steps == 0 ? of_end : total + of_end;
}
