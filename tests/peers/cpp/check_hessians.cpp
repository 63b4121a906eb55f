// Compares our Hessian of λᵀv̇ with what Pinocchio's second derivatives of inverse dynamics imply.
// usage: check_hessians TREE LIBRARY [TREE LIBRARY...]   a line each: robot, speeds, states, largest disagreements
//
// The accelerations a(q, v, u) solve ID(q, v, a) = u. Differentiated once and twice by y, z of (q, v, u), with M μ = λ:
//   a_y  = M⁻¹ (u_y - ID_y)
//   λᵀa_yz = -μᵀ (ID_yz + ID_ya a_z + ID_za a_y)
// ID is linear in a. ID_qq, ID_qv, ID_vv and ID_qa are Pinocchio's; the rest is zero. This holds for joints with one speed,
// whose coordinates add nothing to λᵀẋ.
//
// Disagreements are relative to the largest entry of Pinocchio's matrix of that state. Fails if one exceeds 1e-9.
#include "pinocchio_model.hpp"
#include <dlfcn.h>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>

using namespace bench;
namespace pin = pinocchio;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double AGREES = 1e-9;
constexpr int RANDOM_STATES = 200;

struct Sizes {
  int nq, nv, nx, nu, np, entries;
};

// Our Hessian, from a library of hessian_library.c.
struct Ours {
  Sizes sizes;
  const int *rows, *columns;
  int (*hessian)(const double *, const double *, const double *, double *);

  explicit Ours(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      std::cerr << dlerror() << "\n";
      std::exit(2);
    }
    sizes = reinterpret_cast<Sizes (*)()>(dlsym(library, "sizes"))();
    rows = reinterpret_cast<const int *(*)()>(dlsym(library, "rows"))();
    columns = reinterpret_cast<const int *(*)()>(dlsym(library, "columns"))();
    hessian = reinterpret_cast<decltype(hessian)>(dlsym(library, "hessian"));
  }

  // The full matrix by (q, v, u).
  Matrix at(const Vector &q, const Vector &v, const Vector &u, const Vector &lambda) const {
    Vector x(sizes.nx), costate = Vector::Zero(sizes.nx), out(sizes.nx + sizes.entries);
    x << q, v;
    costate.tail(sizes.nv) = lambda;
    if (hessian(x.data(), u.data(), costate.data(), out.data())) {
      std::cerr << "a state is refused\n";
      std::exit(1);
    }
    Matrix h = Matrix::Zero(3 * sizes.nv, 3 * sizes.nv);
    for (int k = 0; k < sizes.entries; ++k) h(rows[k], columns[k]) = h(columns[k], rows[k]) = out[sizes.nx + k];
    return h;
  }
};

// λᵀ∂²a by (q, v, u), from Pinocchio.
static Matrix implied(const pin::Model &m, pin::Data &d, const Vector &q, const Vector &v, const Vector &u,
                      const Vector &lambda) {
  const int n = m.nv;
  const Vector a = pin::aba(m, d, q, v, u);
  Matrix by_pose = Matrix::Zero(n, n), by_speeds = by_pose, mass = by_pose;
  pin::computeRNEADerivatives(m, d, q, v, a, by_pose, by_speeds, mass);
  mass.triangularView<Eigen::StrictlyLower>() = mass.transpose().triangularView<Eigen::StrictlyLower>();
  const Eigen::LDLT<Matrix> factors(mass);
  const Vector mu = factors.solve(lambda);
  Matrix right(n, 3 * n);
  right << -by_pose, -by_speeds, Matrix::Identity(n, n);
  const Matrix slopes = factors.solve(right);

  pin::ComputeRNEASecondOrderDerivatives(m, d, q, v, a);
  Matrix second = Matrix::Zero(3 * n, 3 * n), mixed = Matrix::Zero(3 * n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        second(j, k) += mu[i] * d.d2tau_dqdq(i, j, k);
        second(n + j, n + k) += mu[i] * d.d2tau_dvdv(i, j, k);
        // Pages of the tensor are speeds; those of the derivative of the mass matrix are coordinates.
        second(j, n + k) += mu[i] * d.d2tau_dqdv(i, j, k);
        mixed(k, j) += mu[i] * d.d2tau_dadq(i, j, k);
      }
  second.block(n, 0, n, n) = second.block(0, n, n, n).transpose();
  const Matrix product = mixed * slopes;
  return -(second + product + product.transpose());
}

struct State {
  Vector q, v, u;
};

// Poses with symmetries, where terms vanish or cancel: multiples of a right angle, at rest or moving in one joint or all.
static std::vector<State> symmetric_states(int n) {
  std::vector<State> states;
  std::mt19937_64 engine(7);
  const Vector zero = Vector::Zero(n), one = Vector::Ones(n);
  for (const Vector &v : {zero, one, Vector(Vector::Unit(n, n - 1)), Vector(Vector::Unit(n, 0))})
    for (const Vector &u : {zero, one}) states.push_back({zero, v, u});
  for (int k = 0; k < 40; ++k) {
    Vector q(n);
    for (double &x : q) x = std::acos(-1.0) / 2 * double(int(engine() % 4) - 1);
    states.push_back({q, k % 2 ? one : zero, k % 4 < 2 ? zero : one});
  }
  return states;
}

static std::vector<State> random_states(int n) {
  std::mt19937_64 engine(12345);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<State> states;
  auto draw = [&](double size) {
    Vector x(n);
    for (double &e : x) e = size * uniform(engine);
    return x;
  };
  for (int k = 0; k < RANDOM_STATES; ++k) {
    const Vector q = draw(2.5), v = draw(2), u = draw(10);
    states.push_back({q, v, u});
  }
  return states;
}

static double largest_disagreement(const pin::Model &m, pin::Data &d, const Ours &ours, const std::vector<State> &states) {
  std::mt19937_64 engine(99);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double worst = 0;
  for (const State &s : states) {
    Vector lambda(m.nv);
    for (double &x : lambda) x = uniform(engine);
    const Matrix theirs = implied(m, d, s.q, s.v, s.u, lambda), h = ours.at(s.q, s.v, s.u, lambda);
    const double e = (h - theirs).cwiseAbs().maxCoeff() / std::max(1e-300, theirs.cwiseAbs().maxCoeff());
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

int main(int argc, char **argv) {
  bool right = true;
  for (int i = 1; i + 1 < argc; i += 2) {
    const Tree t = read_tree(argv[i]);
    const pin::Model m = pinocchio_model(t);
    pin::Data d(m);
    const Ours ours(argv[i + 1]);
    if (m.nq != m.nv || ours.sizes.nu != m.nv || ours.sizes.nx != 2 * m.nv || ours.sizes.np) {
      std::cerr << t.name << ": joints with one speed, an effort a speed and no parameters are needed\n";
      return 2;
    }
    const auto random = random_states(m.nv), symmetric = symmetric_states(m.nv);
    const double at_random = largest_disagreement(m, d, ours, random);
    const double at_symmetric = largest_disagreement(m, d, ours, symmetric);
    std::printf("%s: %d speeds; %zu random states: %.1e; %zu symmetric states: %.1e\n", t.name.c_str(), m.nv, random.size(),
                at_random, symmetric.size(), at_symmetric);
    right = right && at_random <= AGREES && at_symmetric <= AGREES;
  }
  return right ? 0 : 1;
}
