// Points that coincide, as states.py writes them.
#pragma once
#include "bench.hpp"

// Joint and point in its frame, other joint (0: the ground) and point there.
struct Loop {
  int joint, other;
  double at[3], other_at[3];
};

inline std::vector<Loop> read_loops(const std::string &file) {
  std::ifstream in(file);
  std::vector<Loop> loops;
  Loop l;
  while (in >> l.joint >> l.other) {
    for (double &x : l.at) in >> x;
    for (double &x : l.other_at) in >> x;
    loops.push_back(l);
  }
  return loops;
}
