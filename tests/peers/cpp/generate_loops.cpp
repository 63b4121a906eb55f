// CasADi over the whole system of constraints: mass matrix, bias and Jacobians from Pinocchio's templates, sparse LᵀDL, Schur
// complement of the independent rows, common parts shared. usage: generate_loops MODELS FOLDER NAME...
#include "loops.hpp"
#include "pinocchio_model.hpp"
#include <array>
#include <casadi/casadi.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/autodiff/casadi.hpp>

using casadi::SX;
namespace pin = pinocchio;
using Model = pin::ModelTpl<SX>;
using Data = pin::DataTpl<SX>;
using Vector = Model::ConfigVectorType;
using Matrix = Eigen::Matrix<SX, -1, -1>;
using Vector3 = Eigen::Matrix<SX, 3, 1>;

static Vector to_eigen(const SX &s) {
  Vector v(s.size1());
  for (int i = 0; i < v.size(); ++i) v[i] = s(i);
  return v;
}

static Vector3 numbers(const double *p) { return Vector3(SX(p[0]), SX(p[1]), SX(p[2])); }

static Vector3 cross(const Vector3 &x, const Vector3 &y) {
  return Vector3(x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]);
}

static SX dot(const Vector3 &x, const Vector3 &y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

// Points and their derivatives, from what rnea leaves at zero accelerations.
struct Points {
  const Model &model;
  const Data &data;
  std::vector<pin::SE3Tpl<SX>> placed;
  Vector3 gravity;

  Points(const Model &m, const Data &d, const double *g) : model(m), data(d), placed(m.njoints), gravity(numbers(g)) {
    placed[0] = pin::SE3Tpl<SX>::Identity();
    for (int j = 1; j < m.njoints; ++j) placed[j] = m.parents[j] ? placed[m.parents[j]] * d.liMi[j] : d.liMi[j];
  }

  Vector3 acceleration(int j, const double *at) const {
    if (!j) return Vector3(SX(0), SX(0), SX(0));
    const Vector3 p = numbers(at), omega = data.v[j].angular();
    const Vector3 velocity = data.v[j].linear() + cross(omega, p);
    const Vector3 own = data.a_gf[j].linear() + cross(data.a_gf[j].angular(), p) + cross(omega, velocity);
    // a_gf has gravity as an acceleration of the ground.
    return Vector3(placed[j].rotation() * own + gravity);
  }

  Matrix jacobian(int joint, const double *at) const {
    Matrix out = Matrix::Constant(3, model.nv, SX(0));
    if (!joint) return out;
    const Vector3 point = placed[joint].rotation() * numbers(at) + placed[joint].translation();
    for (int k = joint; k > 0; k = model.parents[k]) {
      const Matrix axes = data.joints[k].S().matrix();
      const Vector3 arm = point - placed[k].translation();
      for (int c = 0; c < axes.cols(); ++c) {
        const Vector3 linear = placed[k].rotation() * Vector3(axes(0, c), axes(1, c), axes(2, c));
        const Vector3 angular = placed[k].rotation() * Vector3(axes(3, c), axes(4, c), axes(5, c));
        const Vector3 moves = linear + cross(angular, arm);
        for (int i = 0; i < 3; ++i) out(i, model.joints[k].idx_v() + c) = moves[i];
      }
    }
    return out;
  }
};

// a -= b where b is no structural zero.
static void less(SX &a, const SX &b) {
  if (!b.is_zero()) a -= b;
}

// M = Lᵀ D L from the last row up, which keeps the zeros of the tree.
struct TreeFactors {
  int n;
  Matrix l;
  Vector inverse;

  explicit TreeFactors(Matrix a) : n(a.rows()), l(Matrix::Constant(n, n, SX(0))), inverse(n) {
    for (int k = n - 1; k >= 0; --k) {
      inverse[k] = 1 / a(k, k);
      for (int i = 0; i < k; ++i) l(k, i) = a(k, i) * inverse[k];
      for (int i = 0; i < k; ++i)
        for (int j = 0; j <= i; ++j) less(a(i, j), l(k, i) * a(k, j));
    }
  }
  // Lᵀ y = x
  Vector down(Vector x) const {
    for (int i = n - 1; i >= 0; --i)
      for (int k = i + 1; k < n; ++k) less(x[i], l(k, i) * x[k]);
    return x;
  }
  // L y = x
  Vector up(Vector x) const {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) less(x[i], l(i, j) * x[j]);
    return x;
  }
};

// S x = b, S symmetric and dense.
static Vector solve(Matrix s, Vector b) {
  const int n = b.size();
  Matrix l = Matrix::Constant(n, n, SX(0));
  Vector inverse(n);
  for (int j = 0; j < n; ++j) {
    inverse[j] = 1 / s(j, j);
    for (int i = j + 1; i < n; ++i) l(i, j) = s(i, j) * inverse[j];
    for (int i = j + 1; i < n; ++i)
      for (int k = j + 1; k <= i; ++k) less(s(i, k), l(i, j) * s(k, j));
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) less(b[i], l(i, j) * b[j]);
  for (int i = 0; i < n; ++i) b[i] *= inverse[i];
  for (int i = n - 1; i >= 0; --i)
    for (int k = i + 1; k < n; ++k) less(b[i], l(k, i) * b[k]);
  return b;
}

int main(int argc, char **argv) {
  const std::string models = argv[1], folder = argv[2];
  for (int a = 3; a < argc; ++a) {
    const std::string name = argv[a], file = models + "/" + name;
    const bench::Tree t = bench::read_tree(file + ".txt");
    const auto loops = read_loops(file + ".loops");
    std::vector<std::array<int, 3>> rows;
    std::ifstream in(file + ".rows");
    for (std::array<int, 3> row; in >> row[0] >> row[1] >> row[2];) rows.push_back(row);
    const Model m = pinocchio_model(t).cast<SX>();
    const int nv = m.nv, nc = rows.size();
    const SX sq = SX::sym("q", m.nq), sv = SX::sym("v", nv), su = SX::sym("u", nv);
    const Vector q = to_eigen(sq), v = to_eigen(sv), u = to_eigen(su);
    Data inertial(m), moving(m);
    inertial.M.fill(SX(0));
    pin::crba(m, inertial, q, pin::Convention::LOCAL);
    const Vector bias = pin::rnea(m, moving, q, v, Vector(Vector::Constant(nv, SX(0))));
    const Points points(m, moving, t.gravity);

    Matrix g(nc, nv);
    Vector drift(nc);
    for (int r = 0; r < nc; ++r) {
      const Loop &l = loops[rows[r][0]];
      const Matrix j = points.jacobian(l.joint, l.at) - points.jacobian(l.other, l.other_at);
      const Vector3 b = points.acceleration(l.joint, l.at) - points.acceleration(l.other, l.other_at);
      Vector3 along(SX(0), SX(0), SX(0));
      along[rows[r][2]] = 1;
      if (rows[r][1]) along = points.placed[rows[r][1]].rotation() * along;
      drift[r] = dot(along, b);
      for (int i = 0; i < nv; ++i) g(r, i) = dot(along, Vector3(j(0, i), j(1, i), j(2, i)));
    }

    const TreeFactors factors(Matrix(inertial.M.transpose()));
    const Vector right = factors.down(u - bias);
    std::vector<Vector> ys, weighed;
    for (int c = 0; c < nc; ++c) {
      ys.push_back(factors.down(Vector(g.row(c).transpose())));
      weighed.push_back(ys[c].cwiseProduct(factors.inverse));
    }
    Matrix schur(nc, nc);
    Vector b(nc);
    for (int i = 0; i < nc; ++i) {
      b[i] = -drift[i];
      for (int k = 0; k < nv; ++k) b[i] -= weighed[i][k] * right[k];
      for (int j = 0; j <= i; ++j) {
        SX sum = 0;
        for (int k = 0; k < nv; ++k) sum += weighed[i][k] * ys[j][k];
        schur(i, j) = sum;
      }
    }
    const Vector multipliers = solve(schur, b);
    Vector x(nv);
    for (int i = 0; i < nv; ++i) {
      SX sum = right[i];
      for (int c = 0; c < nc; ++c) sum += ys[c][i] * multipliers[c];
      x[i] = sum * factors.inverse[i];
    }
    x = factors.up(x);
    SX out(nv, 1);
    for (int i = 0; i < nv; ++i) out(i) = x[i];
    casadi::Function f("entry", {sq, sv, su}, SX::cse(std::vector<SX>{densify(out)}));
    casadi::CodeGenerator code("generated", {{"with_header", false}});
    code.add(f);
    code.generate(folder + "/");
    std::rename((folder + "/generated.c").c_str(), (folder + "/casadi--" + name + "--loop.c").c_str());
    std::printf("casadi\t%s\tloop\t%lld\n", name.c_str(), (long long)f.n_nodes());
    std::fflush(stdout);
  }
}
