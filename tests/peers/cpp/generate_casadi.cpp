// CasADi from Pinocchio's templates: C of the forward dynamics, the inverse dynamics, the mass matrix and the derivatives of the
// forward dynamics. usage: generate_casadi FOLDER TREE...   prints tool model function, nodes, and products, sums and divisions
#include "pinocchio_model.hpp"
#include <array>
#include <casadi/casadi.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/autodiff/casadi.hpp>

using namespace bench;
using casadi::SX;
namespace pin = pinocchio;
using Vector = pin::ModelTpl<SX>::ConfigVectorType;
using Matrix = Eigen::Matrix<SX, -1, -1>;

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

// Products with squares, sums with differences and doubles, divisions.
static std::array<long, 3> operations(const casadi::Function &f) {
  std::array<long, 3> counts{};
  for (casadi_int i = 0; i < f.n_instructions(); ++i) {
    switch (f.instruction_id(i)) {
    case casadi::OP_MUL:
    case casadi::OP_SQ: counts[0]++; break;
    case casadi::OP_ADD:
    case casadi::OP_SUB:
    case casadi::OP_TWICE: counts[1]++; break;
    case casadi::OP_DIV:
    case casadi::OP_INV: counts[2]++; break;
    default: break;
    }
  }
  return counts;
}

// What gcc compiles at this level within minutes.
static bool of_moderate_size(const Tree &t) { return t.nv <= 38 && t.name != "chain20" && t.name != "chain50"; }

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
      const auto n = operations(f);
      std::printf("%s\t%s\t%s\t%lld\t%ld\t%ld\t%ld\n", tool.c_str(), t.name.c_str(), function.c_str(),
                  (long long)f.n_nodes(), n[0], n[1], n[2]);
      std::fflush(stdout);
    };
    auto mass = [&](pin::Convention convention) {
      d.M.fill(SX(0));
      pin::crba(m, d, eq, convention);
      for (int j = 0; j < t.nv; ++j)
        for (int i = j + 1; i < t.nv; ++i) d.M(i, j) = d.M(j, i);
      return to_casadi(d.M);
    };
    if (asked("fd")) {
      pin::aba(m, d, eq, ev, eu, pin::Convention::LOCAL);
      write("casadi", "fd", to_casadi(d.ddq));
    }
    if (asked("id")) {
      pin::rnea(m, d, eq, ev, eu);
      write("casadi", "id", to_casadi(d.tau));
    }
    if (asked("crba")) {
      write("casadi_local", "crba", mass(pin::Convention::LOCAL));
      write("casadi_world", "crba", mass(pin::Convention::WORLD));
    }
    if (asked("dfd") && of_moderate_size(t)) {
      Matrix by_pose = Matrix::Constant(t.nv, t.nv, SX(0)), by_speeds = by_pose, by_efforts = by_pose;
      pin::computeABADerivatives(m, d, eq, ev, eu, by_pose, by_speeds, by_efforts);
      // Of the last only the upper triangle is written.
      for (int j = 0; j < t.nv; ++j)
        for (int i = j + 1; i < t.nv; ++i) by_efforts(i, j) = by_efforts(j, i);
      const SX all = horzcat(to_casadi(by_pose), to_casadi(by_speeds), to_casadi(by_efforts));
      write("casadi", "dfd", all);
      write("casadi_cse", "dfd", cse(all));
    }
  }
}
