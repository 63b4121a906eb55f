// Pinocchio over doubles; with a folder it also writes what every other tool is checked against.
// usage: bench_pinocchio FOLDER|- TREE...
#include "pinocchio_model.hpp"
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

using namespace bench;
namespace pin = pinocchio;
constexpr auto LOCAL = pin::Convention::LOCAL;
constexpr auto WORLD = pin::Convention::WORLD;

int main(int argc, char **argv) {
  const std::string folder = argv[1];
  for (int a = 2; a < argc; ++a) {
    const Tree t = read_tree(argv[a]);
    const pin::Model m = pinocchio_model(t);
    pin::Data d(m);
    if (m.nq != t.nq || m.nv != t.nv) {
      std::cerr << t.name << ": another number of coordinates\n";
      return 1;
    }
    const int nv = t.nv;
    const Samples s = make_samples(t);
    std::vector<Eigen::VectorXd> q, v, u;
    // Of the last only the upper triangle is written.
    Eigen::MatrixXd by_pose(nv, nv), by_speeds(nv, nv), by_efforts(nv, nv);
    auto derivatives = [&](int k) { pin::computeABADerivatives(m, d, q[k], v[k], u[k], by_pose, by_speeds, by_efforts); };
    for (int k = 0; k < STATES; ++k) {
      q.push_back(Eigen::Map<const Eigen::VectorXd>(&s.q[k * t.nq], t.nq));
      v.push_back(Eigen::Map<const Eigen::VectorXd>(&s.v[k * nv], nv));
      u.push_back(Eigen::Map<const Eigen::VectorXd>(&s.u[k * nv], nv));
    }
    if (folder != "-") {
      FILE *f = std::fopen((folder + "/" + t.name + ".bin").c_str(), "wb");
      const int head[4] = {t.nq, nv, 0, 0};
      std::fwrite(head, sizeof(int), 4, f);
      auto write = [&](const double *p, size_t n) { std::fwrite(p, sizeof(double), n, f); };
      for (int k = 0; k < STATES; ++k) {
        write(q[k].data(), t.nq);
        write(v[k].data(), nv);
        write(u[k].data(), nv);
        pin::aba(m, d, q[k], v[k], u[k], LOCAL);
        write(d.ddq.data(), nv);
        pin::rnea(m, d, q[k], v[k], u[k]);
        write(d.tau.data(), nv);
        d.M.setZero();
        pin::crba(m, d, q[k], WORLD);
        d.M.triangularView<Eigen::StrictlyLower>() = d.M.transpose().triangularView<Eigen::StrictlyLower>();
        write(d.M.data(), size_t(nv) * nv);
        for (auto *x : {&by_pose, &by_speeds, &by_efforts}) x->setZero();
        derivatives(k);
        by_efforts.triangularView<Eigen::StrictlyLower>() = by_efforts.transpose().triangularView<Eigen::StrictlyLower>();
        for (auto *x : {&by_pose, &by_speeds, &by_efforts}) write(x->data(), size_t(nv) * nv);
      }
      std::fclose(f);
      continue;
    }
    const std::string tool = "pinocchio";
    auto timed = [&](const char *convention, const char *function, auto &&call) {
      if (asked(function)) row(tool + convention, t.name, function, time_it(call), 0);
    };
    timed("_world", "fd", [&](int k) { pin::aba(m, d, q[k], v[k], u[k], WORLD); });
    timed("_local", "fd", [&](int k) { pin::aba(m, d, q[k], v[k], u[k], LOCAL); });
    timed("", "id", [&](int k) { pin::rnea(m, d, q[k], v[k], u[k]); });
    timed("_world", "crba", [&](int k) { pin::crba(m, d, q[k], WORLD); });
    timed("_local", "crba", [&](int k) { pin::crba(m, d, q[k], LOCAL); });
    timed("", "dfd", derivatives);
  }
}
