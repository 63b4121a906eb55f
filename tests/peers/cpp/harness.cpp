// Times and checks generated code. usage: harness FOLDER LIBRARY...
//
// A library is named TOOL--MODEL--FUNCTION.so and has, as CasADi writes it,
//   int entry(const double **arg, double **res, long long *iw, double *w, int mem)
// with arg = q, v, u in Pinocchio's order: quaternion x y z w, velocity of the base in its own axes. Functions: fd gives
// accelerations; id efforts, u being accelerations; crba the full mass matrix; loop accelerations of a mechanism with
// constraints. After q, v, u stand our own state and inputs, which code of ours reads for loops.
#include "bench.hpp"
#include <dlfcn.h>

using namespace bench;
using Entry = int (*)(const double **, double **, long long *, double *, int);
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
    long long args = 5, results = 1, integers = 0, doubles = 0;
    if (work) work(&args, &results, &integers, &doubles);
    const size_t n = function == "crba" ? size_t(r.nv) * r.nv : r.nv;
    std::vector<double> out(n), w(doubles + 1);
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
      const double *truth = function == "id" ? r.effort(k) : function == "crba" ? r.mass(k) : r.acceleration(k);
      const double e = error(out.data(), truth, n);
      if (!(e <= worst)) worst = e;
    }
    row(tool, model, function, time_it(call), worst);
    dlclose(library);
  }
}
