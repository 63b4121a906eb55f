// A Pinocchio model from the tree. Header-only: flags of alignment are not mixed with those of a built library.
#pragma once
#include "bench.hpp"
#include <pinocchio/multibody.hpp>
#include <pinocchio/multibody/joint.hpp>

inline pinocchio::JointModel joint_of(const bench::Body &b) {
  namespace pin = pinocchio;
  Eigen::Vector3d axis(b.axis[0], b.axis[1], b.axis[2]);
  auto is = [&](int i) { return axis == Eigen::Vector3d::Unit(i); };
  switch (b.type) {
  case 'F': return pin::JointModelFreeFlyer();
  case 'S': return pin::JointModelSpherical();
  case 'U': return pin::JointModelUniversal(Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY());
  case 'R':
    if (is(0)) return pin::JointModelRX();
    if (is(1)) return pin::JointModelRY();
    if (is(2)) return pin::JointModelRZ();
    return pin::JointModelRevoluteUnaligned(axis);
  default:
    if (is(0)) return pin::JointModelPX();
    if (is(1)) return pin::JointModelPY();
    if (is(2)) return pin::JointModelPZ();
    return pin::JointModelPrismaticUnaligned(axis);
  }
}

inline pinocchio::Model pinocchio_model(const bench::Tree &t) {
  namespace pin = pinocchio;
  pin::Model m;
  m.name = t.name;
  m.gravity.linear() << t.gravity[0], t.gravity[1], t.gravity[2];
  for (auto &b : t.bodies) {
    Eigen::Matrix3d rotation = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(b.rotation);
    pin::SE3 place(rotation, Eigen::Vector3d(b.at[0], b.at[1], b.at[2]));
    auto id = m.addJoint(b.parent, joint_of(b), place, b.name);
    const double *i = b.inertia;
    Eigen::Matrix3d inertia;
    inertia << i[0], i[1], i[3], i[1], i[2], i[4], i[3], i[4], i[5];
    Eigen::Vector3d centre(b.centre[0], b.centre[1], b.centre[2]);
    m.appendBodyToJoint(id, pin::Inertia(b.mass, centre, inertia), pin::SE3::Identity());
  }
  return m;
}
