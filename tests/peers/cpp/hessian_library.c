// The Hessian of a robot from emitted C, under names that do not depend on the robot, for check_hessians.
// usage: cc -DROBOT=ur5 -DHEADER='"ur5.h"' -shared -fPIC hessian_library.c ur5.c -lm
#include HEADER
#define JOIN(a, b) a##_##b
#define NAMED(a, b) JOIN(a, b)
#define HESSIAN NAMED(ROBOT, dqdt_hessian)

// The result is the rates, then the entries of the Hessian.
struct sizes {
  int nq, nv, nx, nu, np, entries;
};

struct sizes sizes(void) {
  const int nx = NAMED(ROBOT, nx);
  const int entries = (int)(sizeof(struct HESSIAN) / sizeof(double)) - nx;
  struct sizes s = {NAMED(ROBOT, nq), NAMED(ROBOT, nv), nx, NAMED(ROBOT, nu), NAMED(ROBOT, np), entries};
  return s;
}

const int *rows(void) { return NAMED(ROBOT, dqdt_hessian_rows); }
const int *columns(void) { return NAMED(ROBOT, dqdt_hessian_columns); }

int hessian(const double *x, const double *u, const double *costate, double *rates_and_entries) {
  static struct NAMED(ROBOT, model) model;
  static int ready = 0;
  if (!ready) NAMED(ROBOT, model_init)(&model, &NAMED(ROBOT, defaults));
  ready = 1;
  return HESSIAN(&model, 0.0, x, u, costate, (struct HESSIAN *)rates_and_entries);
}
