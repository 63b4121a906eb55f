// Times and checks generated code. usage: harness FOLDER LIBRARY...
//
// A library is named TOOL--MODEL--FUNCTION.so and has, as CasADi writes it,
//   int entry(const double **arg, double **res, long long *iw, double *w, int mem)
// with arg = q, v, u in Pinocchio's order: quaternion x y z w, velocity of the base in its own axes. Functions: fd gives
// accelerations; id efforts, u being accelerations; crba the full mass matrix; dfd the derivatives of the accelerations by the
// pose, the speeds and the efforts; loop accelerations of a mechanism with constraints. After q, v, u stand our own state and
// inputs, which code of ours reads for loops. A library whose results stand in another order has
//   long length(void)                                   numbers that it writes
//   void ordered(const double *written, double *out)    them in Pinocchio's order
// which serve the check alone and are not timed.
#include "bench.hpp"
#include <dlfcn.h>

using namespace bench;
using Entry = int (*)(const double **, double **, long long *, double *, int);
using Length = long (*)();
using Ordered = void (*)(const double *, double *);
using Work = int (*)(long long *, long long *, long long *, long long *);

int main(int argc, char **argv) {
  const std::string folder = argv[1];
  for (int a = 2; a < argc; ++a) {
    const std::string path = argv[a];
    std::string name = path.substr(path.rfind('/') + 1);
    name.resize(name.size() - 3);
    const size_t first = name.find("--"), second = name.find("--", first + 2);
    const std::string tool = name.substr(0, first), model = name.substr(first + 2, second - first - 2);
    const std::string function = name.substr(second + 2);
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    Reference r;
    if (!library || !r.read(folder + "/" + model + ".bin")) {
      std::fprintf(stderr, "%s is left out: %s\n", name.c_str(), library ? "no reference" : dlerror());
      continue;
    }
    Entry entry = Entry(dlsym(library, "entry"));
    Work work = Work(dlsym(library, "entry_work"));
    Length length = Length(dlsym(library, "length"));
    Ordered ordered = Ordered(dlsym(library, "ordered"));
    long long args = 5, results = 1, integers = 0, doubles = 0;
    if (work) work(&args, &results, &integers, &doubles);
    const size_t square = size_t(r.nv) * r.nv, n = function == "dfd" ? 3 * square : function == "crba" ? square : r.nv;
    std::vector<double> out(length ? length() : n), in_order(n), w(doubles + 1);
    std::vector<long long> iw(integers + 1);
    std::vector<const double *> arg(args + 5);
    std::vector<double *> res(results + 1);
    auto call = [&](int k) {
      arg[0] = r.q(k), arg[1] = r.v(k), arg[2] = r.u(k), arg[3] = r.our_state(k), arg[4] = r.our_inputs(k);
      res[0] = out.data();
      return entry(arg.data(), res.data(), iw.data(), w.data(), 0);
    };
    double worst = 0;
    for (int k = 0; k < STATES; ++k) {
      if (call(k)) std::fprintf(stderr, "%s: state %d is refused\n", name.c_str(), k);
      const double *truth = function == "id"     ? r.effort(k)
                            : function == "crba" ? r.mass(k)
                            : function == "dfd"  ? r.derivatives(k)
                                                 : r.acceleration(k);
      if (ordered) ordered(out.data(), in_order.data());
      const double *found = ordered ? in_order.data() : out.data();
      // The three matrices of derivatives have units of their own.
      const size_t part = function == "dfd" ? square : n;
      for (size_t i = 0; i < n; i += part) {
        const double e = error(found + i, truth + i, part);
        if (!(e <= worst)) worst = e;
      }
    }
    row(tool, model, function, time_it(call), worst);
    dlclose(library);
  }
}
