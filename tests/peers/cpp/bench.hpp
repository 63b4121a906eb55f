// What all drivers share: the tree written by models.py, random states, timing, one row of the table.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace bench {

// Inertia xx xy yy xz yz zz about the centre of mass, in the axes of the joint.
struct Body {
  int index, parent;
  char type;
  double axis[3], rotation[9], at[3], mass, centre[3], inertia[6];
  std::string name;
};

struct Tree {
  std::string name;
  int nq, nv, nj;
  double gravity[3];
  std::vector<Body> bodies;
};

inline Tree read_tree(const std::string &file) {
  std::ifstream in(file);
  if (!in) {
    std::cerr << "no file " << file << "\n";
    std::exit(2);
  }
  Tree t;
  std::string word;
  in >> word >> t.name >> word >> t.nq >> word >> t.nv >> word >> t.nj >> word;
  for (double &g : t.gravity) in >> g;
  for (int i = 0; i < t.nj; ++i) {
    Body b;
    in >> b.index >> b.parent >> b.type;
    for (double &x : b.axis) in >> x;
    for (double &x : b.rotation) in >> x;
    for (double &x : b.at) in >> x;
    in >> b.mass;
    for (double &x : b.centre) in >> x;
    for (double &x : b.inertia) in >> x;
    in >> b.name;
    t.bodies.push_back(b);
  }
  return t;
}

// States that every timing loop cycles through.
constexpr int STATES = 32;

// Angles within 2.5 rad, speeds within 2, efforts within 10, places within 1, unit quaternions x y z w.
struct Samples {
  int nq, nv;
  std::vector<double> q, v, u;
};

inline Samples make_samples(const Tree &t) {
  std::mt19937_64 engine(12345);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Samples s{t.nq, t.nv, {}, {}, {}};
  for (int k = 0; k < STATES; ++k) {
    for (auto &b : t.bodies) {
      if (b.type == 'F')
        for (int i = 0; i < 3; ++i) s.q.push_back(uniform(engine));
      if (b.type == 'F' || b.type == 'S') {
        double e[4], n = 0;
        for (double &x : e) {
          x = uniform(engine);
          n += x * x;
        }
        for (double x : e) s.q.push_back(x / std::sqrt(n));
      } else {
        s.q.push_back(2.5 * uniform(engine));
      }
    }
    for (int i = 0; i < t.nv; ++i) s.v.push_back(2 * uniform(engine));
    for (int i = 0; i < t.nv; ++i) s.u.push_back(10 * uniform(engine));
  }
  return s;
}

inline double setting(const char *name, double otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atof(text) : otherwise;
}

// True if PEERS_FUNCTIONS, names with spaces between, is not given or has this one.
inline bool asked(const std::string &function) {
  const char *text = std::getenv("PEERS_FUNCTIONS");
  return !text || !*text || (" " + std::string(text) + " ").find(" " + function + " ") != std::string::npos;
}

struct Times {
  double median, least, ninetieth;
};

// `f(k)` runs state k once. Many short chunks, so that most are not hit by a switch of context; of the mean time of a call
// in each chunk: median, least, 90th percentile, in nanoseconds.
template <class F> Times time_it(F &&f) {
  using Clock = std::chrono::steady_clock;
  auto seconds = [](Clock::time_point since) { return std::chrono::duration<double>(Clock::now() - since).count(); };
  long n = 1, k = 0;
  double took = 0;
  for (int w = 0; w < STATES; ++w) f(w);
  for (;;) {
    auto start = Clock::now();
    for (long i = 0; i < n; ++i) f(int(k++ % STATES));
    took = seconds(start);
    if (took > 1e-4) break;
    n *= 2;
  }
  n = std::max<long>(1, long(n * setting("PEERS_CHUNK_MS", 0.3) * 1e-3 / took));
  const int chunks = int(setting("PEERS_CHUNKS", 151));
  std::vector<double> means;
  for (int c = -chunks / 10; c < chunks; ++c) {
    auto start = Clock::now();
    for (long i = 0; i < n; ++i) f(int(k++ % STATES));
    double mean = seconds(start) / n * 1e9;
    if (c >= 0) means.push_back(mean);
  }
  std::sort(means.begin(), means.end());
  return {means[means.size() / 2], means[0], means[size_t(means.size() * 0.9)]};
}

inline void row(const std::string &tool, const std::string &model, const std::string &function, Times t, double error) {
  std::printf("%s\t%s\t%s\t%.1f\t%.1f\t%.1f\t%.1e\n", tool.c_str(), model.c_str(), function.c_str(), t.median, t.least,
              t.ninetieth, error);
  std::fflush(stdout);
}

// Largest |a - b| by the largest |b|; not a number if one of a is not.
inline double error(const double *a, const double *b, size_t n) {
  double largest = 0, scale = 1e-300;
  for (size_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::fabs(a[i] - b[i]));
    scale = std::max(scale, std::fabs(b[i]));
    if (a[i] != a[i]) return NAN;
  }
  return largest / scale;
}

// What is right at each state: q, v, u, accelerations, efforts for accelerations u, mass matrix. Then, of trees, the derivatives
// of the accelerations by the pose, the speeds and the efforts, each by columns; of mechanisms with loops the state and the inputs
// in our own order.
struct Reference {
  int nq = 0, nv = 0;
  size_t stride = 0, ours = 0;
  int nx = 0;
  std::vector<double> numbers;

  bool read(const std::string &file) {
    FILE *f = std::fopen(file.c_str(), "rb");
    int head[4];
    if (!f || std::fread(head, sizeof(int), 4, f) != 4) return false;
    nq = head[0], nv = head[1], nx = head[2];
    ours = nq + 4 * nv + size_t(nv) * nv;
    stride = ours + (nx ? nx + head[3] : 3 * size_t(nv) * nv);
    numbers.resize(stride * STATES);
    bool all = std::fread(numbers.data(), sizeof(double), numbers.size(), f) == numbers.size();
    std::fclose(f);
    return all;
  }
  const double *q(int k) const { return &numbers[k * stride]; }
  const double *v(int k) const { return q(k) + nq; }
  const double *u(int k) const { return v(k) + nv; }
  const double *acceleration(int k) const { return u(k) + nv; }
  const double *effort(int k) const { return acceleration(k) + nv; }
  const double *mass(int k) const { return effort(k) + nv; }
  const double *derivatives(int k) const { return q(k) + ours; }
  const double *our_state(int k) const { return q(k) + ours; }
  const double *our_inputs(int k) const { return our_state(k) + nx; }
};

} // namespace bench
