// MuJoCo's C interface; the state is copied in each call, as a user must.
// usage: bench_mujoco MODELS REFERENCES NAME...
#include "bench.hpp"
#include <mujoco/mujoco.h>

using namespace bench;

// A body's state in Pinocchio's order becomes MuJoCo's: quaternion scalar first, linear velocities along the parent's axes.
struct State {
  std::vector<double> q, v, u, a;
};

static void turn(const double *quaternion, const double *x, double *out) {
  const double scalar_first[4] = {quaternion[3], quaternion[0], quaternion[1], quaternion[2]};
  mju_rotVecQuat(out, x, scalar_first);
}

static State state_of(const Tree &t, const mjModel *m, const Reference &r, int k) {
  State s{std::vector<double>(m->nq), std::vector<double>(m->nv), std::vector<double>(m->nv), std::vector<double>(m->nv)};
  const double *q = r.q(k), *v = r.v(k), *u = r.u(k), *a = r.acceleration(k);
  for (auto &b : t.bodies) {
    const int joint = mj_name2id(m, mjOBJ_JOINT, b.name.c_str());
    double *to_q = &s.q[m->jnt_qposadr[joint]];
    const int at = m->jnt_dofadr[joint];
    int nq = 1, nv = 1;
    if (b.type == 'F') {
      nq = 7, nv = 6;
      const double *quaternion = q + 3;
      for (int i = 0; i < 3; ++i) to_q[i] = q[i], to_q[4 + i] = quaternion[i];
      to_q[3] = quaternion[3];
      for (int i = 3; i < 6; ++i) s.v[at + i] = v[i], s.u[at + i] = u[i], s.a[at + i] = a[i];
      // MuJoCo's acceleration is that of the velocity's components on the ground.
      double coriolis[3], linear[3];
      mju_cross(coriolis, v + 3, v);
      for (int i = 0; i < 3; ++i) linear[i] = a[i] + coriolis[i];
      turn(quaternion, v, &s.v[at]);
      turn(quaternion, u, &s.u[at]);
      turn(quaternion, linear, &s.a[at]);
    } else {
      if (b.type == 'S') {
        nq = 4, nv = 3;
        to_q[0] = q[3];
        for (int i = 0; i < 3; ++i) to_q[1 + i] = q[i];
      } else {
        to_q[0] = q[0];
      }
      for (int i = 0; i < nv; ++i) s.v[at + i] = v[i], s.u[at + i] = u[i], s.a[at + i] = a[i];
    }
    q += nq, v += nv, u += nv, a += nv;
  }
  return s;
}

int main(int argc, char **argv) {
  const std::string models = argv[1], references = argv[2];
  for (int i = 3; i < argc; ++i) {
    const std::string name = argv[i];
    const Tree t = read_tree(models + "/" + name + ".txt");
    char message[500] = "";
    mjModel *m = mj_loadXML((models + "/" + name + ".xml").c_str(), nullptr, message, sizeof message);
    Reference r;
    if (!m || m->nv != t.nv || !r.read(references + "/" + name + ".bin")) {
      std::fprintf(stderr, "%s is left out: %s\n", name.c_str(), message);
      continue;
    }
    m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS |
                           mjDSBL_DAMPER | mjDSBL_SPRING | mjDSBL_ACTUATION;
    mjData *d = mj_makeData(m);
    const int nv = m->nv;
    std::vector<State> states;
    for (int k = 0; k < STATES; ++k) states.push_back(state_of(t, m, r, k));
    auto set = [&](int k) {
      mju_copy(d->qpos, states[k].q.data(), m->nq);
      mju_copy(d->qvel, states[k].v.data(), nv);
    };
    auto place = [&] {
      mj_kinematics(m, d);
      mj_comPos(m, d);
    };
    std::vector<double> bias(nv), force(nv);
    // Only what the tree's accelerations need; mj_forward does more.
    auto forward = [&](int k) {
      set(k);
      place();
      mj_crb(m, d);
      mj_factorM(m, d);
      mj_comVel(m, d);
      mj_rne(m, d, 0, bias.data());
      for (int j = 0; j < nv; ++j) force[j] = states[k].u[j] - bias[j];
      mj_solveM(m, d, d->qacc, force.data(), 1);
    };
    double worst = 0;
    for (int k = 0; k < STATES; ++k) {
      forward(k);
      worst = std::max(worst, error(d->qacc, states[k].a.data(), nv));
    }
    row("mujoco", name, "fd", time_it(forward), worst);
    auto inverse = [&](int k) {
      set(k);
      mju_copy(d->qacc, states[k].a.data(), nv);
      place();
      mj_comVel(m, d);
      mj_rne(m, d, 1, bias.data());
    };
    worst = 0;
    for (int k = 0; k < STATES; ++k) {
      inverse(k);
      worst = std::max(worst, error(bias.data(), states[k].u.data(), nv));
    }
    row("mujoco", name, "id", time_it(inverse), worst);
    auto mass = [&](int k) {
      set(k);
      place();
      mj_crb(m, d);
    };
    // Its M is sparse; that of the forward dynamics was right.
    row("mujoco", name, "crba", time_it(mass), 0);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}
