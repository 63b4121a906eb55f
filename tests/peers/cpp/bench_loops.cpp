// Pinocchio's constrained dynamics, set in its favour: the fewest proximal steps, and the parameter among powers of ten, that
// bring the accelerations to 1e-8. usage: bench_loops MODELS REFERENCES NAME...
#include "loops.hpp"
#include "pinocchio_model.hpp"
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>

using namespace bench;
namespace pin = pinocchio;
using Constraint = pin::RigidConstraintModel;
using ConstraintData = pin::RigidConstraintData;
template <class T> using Aligned = std::vector<T, Eigen::aligned_allocator<T>>;
constexpr double ENOUGH = 1e-8;

static pin::SE3 at(const double *p) { return pin::SE3(Eigen::Matrix3d::Identity(), Eigen::Vector3d(p[0], p[1], p[2])); }

int main(int argc, char **argv) {
  const std::string models = argv[1], references = argv[2];
  for (int i = 3; i < argc; ++i) {
    const std::string name = argv[i], file = models + "/" + name;
    const pin::Model m = pinocchio_model(read_tree(file + ".txt"));
    Reference r;
    if (!r.read(references + "/" + name + ".bin") || m.nq != r.nq || m.nv != r.nv) {
      std::fprintf(stderr, "%s is left out\n", name.c_str());
      continue;
    }
    std::vector<Eigen::VectorXd> q, v, u;
    for (int k = 0; k < STATES; ++k) {
      q.push_back(Eigen::Map<const Eigen::VectorXd>(r.q(k), m.nq));
      v.push_back(Eigen::Map<const Eigen::VectorXd>(r.v(k), m.nv));
      u.push_back(Eigen::Map<const Eigen::VectorXd>(r.u(k), m.nv));
    }
    Aligned<Constraint> constraints;
    Aligned<ConstraintData> data;
    for (auto &l : read_loops(file + ".loops")) {
      Constraint c(pin::CONTACT_3D, m, l.joint, at(l.at), l.other, at(l.other_at), pin::LOCAL);
      c.m_baumgarte_parameters.Kp = decltype(c.m_baumgarte_parameters.Kp)(0);
      c.m_baumgarte_parameters.Kd = decltype(c.m_baumgarte_parameters.Kd)(0);
      constraints.push_back(c);
    }
    for (auto &c : constraints) data.emplace_back(c);
    auto quickest = [&](const char *tool, pin::Data &d, auto &&call) {
      struct Setting {
        double error, parameter;
        int steps;
      };
      Setting best{1e300, 0, 0};
      for (int steps = 1; steps <= 40 && !(best.error < ENOUGH); steps += steps < 10 ? 1 : 5) {
        for (int power = 2; power <= 14; ++power) {
          const double parameter = std::pow(10.0, -power);
          double worst = 0;
          for (int k = 0; k < STATES; ++k) {
            pin::ProximalSettings s(0., 0., parameter, steps);
            call(k, s);
            const double e = error(d.ddq.data(), r.acceleration(k), m.nv);
            if (!(e <= worst)) worst = e;
          }
          if (worst < best.error) best = {worst, parameter, steps};
        }
      }
      auto timed = [&](int k) {
        pin::ProximalSettings s(0., 0., best.parameter, best.steps);
        call(k, s);
      };
      row(tool, name, "loop", time_it(timed), best.error);
    };
    pin::Data d(m), e(m);
    pin::initConstraintDynamics(m, d, constraints, data);
    quickest("pinocchio_constraint", d,
             [&](int k, pin::ProximalSettings &s) { pin::constraintDynamics(m, d, q[k], v[k], u[k], constraints, data, s); });
    pin::computeJointMinimalOrdering(m, e, constraints);
    quickest("pinocchio_lcaba", e,
             [&](int k, pin::ProximalSettings &s) { pin::lcaba(m, e, q[k], v[k], u[k], constraints, data, s); });
  }
}
