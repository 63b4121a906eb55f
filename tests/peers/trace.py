"""Generated code of peers that trace Python: CasADi and wrenfold over recursion.py, SymPy over its own chain.

usage: trace.py WORK [MODEL...]   writes WORK/gen/TOOL--MODEL--FUNCTION.c, .cpp or .rs, each with the harness's entry
"""

import sys
from pathlib import Path
from typing import Annotated

import casadi
import recursion
import sympy_chain
from models import MODELS
from wrenfold import code_generation, sym
from wrenfold import type_annotations as types

FUNCTIONS = {"fd": recursion.articulated_body, "id": recursion.newton_euler}
# Above five links its mass matrix takes minutes, and its code is the slowest.
SYMPY = {"chain2": 2, "chain3": 3, "chain5": 5}

CPP = """\
#include <cmath>
#include <cstdint>
namespace wf {{
template <int R, int C> struct In {{ const double *p; double operator()(int i, int) const {{ return p[i]; }} }};
template <int R, int C> struct Out {{ double *p; double &operator()(int i, int) const {{ return p[i]; }} }};
template <int R, int C> In<R, C> make_input_span(const double *p) {{ return {{p}}; }}
template <int R, int C> Out<R, C> make_output_span(double *p) {{ return {{p}}; }}
}}
{body}
extern "C" int entry(const double **arg, double **res, long long *, double *, int) {{
  eom<double>(arg[0], arg[1], arg[2], (double *)res[0]);
  return 0;
}}
"""
RUST = """\
mod wrenfold_traits {{
    pub trait Span2D<const R: usize, const C: usize> {{
        type ValueType;
        fn get(&self, i: usize, j: usize) -> Self::ValueType;
    }}
    pub trait OutputSpan2D<const R: usize, const C: usize> {{
        type ValueType;
        fn set(&mut self, i: usize, j: usize, v: Self::ValueType);
    }}
}}
{body}
struct In(*const f64);
struct Out(*mut f64);
impl<const R: usize, const C: usize> wrenfold_traits::Span2D<R, C> for In {{
    type ValueType = f64;
    #[inline(always)]
    fn get(&self, i: usize, _: usize) -> f64 {{ unsafe {{ *self.0.add(i) }} }}
}}
impl<const R: usize, const C: usize> wrenfold_traits::OutputSpan2D<R, C> for Out {{
    type ValueType = f64;
    #[inline(always)]
    fn set(&mut self, i: usize, _: usize, v: f64) {{ unsafe {{ *self.0.add(i) = v }} }}
}}
#[no_mangle]
pub extern "C" fn entry(arg: *const *const f64, res: *const *mut f64, _: *mut i64, _: *mut f64, _: i32) -> i32 {{
    unsafe {{ eom(&In(*arg), &In(*arg.add(1)), &In(*arg.add(2)), &mut Out(*res)); }}
    0
}}
"""


def by_casadi(folder, model, function, bodies, gravity):
    nq, nv = recursion.sizes(bodies)
    q, v, u = casadi.SX.sym("q", nq), casadi.SX.sym("v", nv), casadi.SX.sym("u", nv)
    entries = [[x[i] for i in range(x.shape[0])] for x in (q, v, u)]
    out = casadi.vertcat(*FUNCTIONS[function](bodies, gravity, *entries, casadi.sin, casadi.cos))
    code = casadi.CodeGenerator("traced", {"with_header": False})
    code.add(casadi.Function("entry", [q, v, u], [casadi.cse(out)]))
    code.generate(f"{folder}/")
    (folder / "traced.c").rename(folder / f"casadi_recursion--{model}--{function}.c")


def by_wrenfold(folder, model, function, bodies, gravity):
    nq, nv = recursion.sizes(bodies)
    of = {n: Annotated[sym.MatrixExpr, types.Shape(n, 1)] for n in (nq, nv)}

    def eom(q: of[nq], v: of[nv], u: of[nv]):
        entries = [[x[i] for i in range(n)] for x, n in ((q, nq), (v, nv), (u, nv))]
        out = FUNCTIONS[function](bodies, gravity, *entries, sym.sin, sym.cos)
        return [code_generation.OutputArg(sym.vector(*out), "out")]

    tree = code_generation.transpile(code_generation.create_function_description(func=eom, name="eom"))
    rust = code_generation.RustGenerator().generate(definition=tree)
    cpp = code_generation.CppGenerator().generate(definition=tree)
    (folder / f"wrenfold_rs--{model}--{function}.rs").write_text(RUST.format(body=rust))
    (folder / f"wrenfold_cpp--{model}--{function}.cpp").write_text(CPP.format(body=cpp))


def main():
    work = Path(sys.argv[1])
    folder = work / "gen"
    for model in sys.argv[2:] or MODELS:
        bodies, gravity = recursion.load(work / "models" / f"{model}.txt")
        for function in FUNCTIONS:
            by_casadi(folder, model, function, bodies, gravity)
            by_wrenfold(folder, model, function, bodies, gravity)
        if model in SYMPY:
            text = sympy_chain.by_kane(SYMPY[model])
            (folder / f"sympy_kane--{model}--fd.c").write_text(text)
        print(model, flush=True)


if __name__ == "__main__":
    main()
