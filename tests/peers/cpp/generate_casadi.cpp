// CasADi from Pinocchio's templates: C of the forward dynamics, the inverse dynamics and the mass matrix.
// usage: generate_casadi FOLDER TREE...   prints tool model function and counts
#include "pinocchio_model.hpp"
#include <casadi/casadi.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/autodiff/casadi.hpp>

using namespace bench;
using casadi::SX;
namespace pin = pinocchio;
using Vector = pin::ModelTpl<SX>::ConfigVectorType;

static Vector to_eigen(const SX &s) {
  Vector v(s.size1());
  for (int i = 0; i < v.size(); ++i) v[i] = s(i);
  return v;
}

template <class D> static SX to_casadi(const Eigen::MatrixBase<D> &m) {
  SX s(m.rows(), m.cols());
  for (int j = 0; j < m.cols(); ++j)
    for (int i = 0; i < m.rows(); ++i) s(i, j) = m(i, j);
  return densify(s);
}

int main(int argc, char **argv) {
  const std::string folder = argv[1];
  for (int a = 2; a < argc; ++a) {
    const Tree t = read_tree(argv[a]);
    const pin::ModelTpl<SX> m = pinocchio_model(t).cast<SX>();
    pin::DataTpl<SX> d(m);
    const SX q = SX::sym("q", t.nq), v = SX::sym("v", t.nv), u = SX::sym("u", t.nv);
    const Vector eq = to_eigen(q), ev = to_eigen(v), eu = to_eigen(u);
    // LOCAL is the convention with fewer operations, for all but long chains' mass matrices.
    auto write = [&](const std::string &tool, const std::string &function, const SX &out) {
      casadi::Function f("entry", {q, v, u}, {out});
      casadi::CodeGenerator code("generated", {{"with_header", false}});
      code.add(f);
      code.generate(folder + "/");
      const std::string name = folder + "/" + tool + "--" + t.name + "--" + function + ".c";
      std::rename((folder + "/generated.c").c_str(), name.c_str());
      std::printf("%s\t%s\t%s\t%lld\n", tool.c_str(), t.name.c_str(), function.c_str(), (long long)f.n_nodes());
      std::fflush(stdout);
    };
    auto mass = [&](pin::Convention convention) {
      d.M.fill(SX(0));
      pin::crba(m, d, eq, convention);
      for (int j = 0; j < t.nv; ++j)
        for (int i = j + 1; i < t.nv; ++i) d.M(i, j) = d.M(j, i);
      return to_casadi(d.M);
    };
    pin::aba(m, d, eq, ev, eu, pin::Convention::LOCAL);
    write("casadi", "fd", to_casadi(d.ddq));
    pin::rnea(m, d, eq, ev, eu);
    write("casadi", "id", to_casadi(d.tau));
    write("casadi_local", "crba", mass(pin::Convention::LOCAL));
    write("casadi_world", "crba", mass(pin::Convention::WORLD));
  }
}
