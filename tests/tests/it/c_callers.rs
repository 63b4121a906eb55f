//! One C caller that compiles unchanged with every example, whether or not a function has divisors
//! to check. It also reads the exported sizes, meant for callers without the header.

use crate::c_compilers::{compile, compilers, run_driver};
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, COptions, FormalismChoice, Request};
use dqdt_tests::root;

const CALLER: &str = r#"#include "arm.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int told(int verdict, const char *hint) { return verdict == 0 ? strlen(hint) == 0 : strlen(hint) > 4; }

int main(void) {
    struct arm_model model;
    struct arm_energy energy;
    double x[ARM_NX], dx[ARM_NX], mass[ARM_NV][ARM_NV], u[ARM_NU + 1] = {0};
    if (arm_check(&arm_defaults) != NULL) return 1;
    arm_model_init(&model, &arm_defaults);
    memcpy(x, arm_start, sizeof x);
    int verdict = arm_dqdt(&model, 0.0, x, u, dx);
    if (verdict != 0 || !told(verdict, arm_dqdt_hint(verdict))) return 2;
    verdict = arm_energy(&model, 0.0, x, &energy);
    if (verdict != 0 || !told(verdict, arm_energy_hint(verdict))) return 3;
    verdict = arm_mass_matrix(&model, 0.0, x, mass);
    if (verdict != 0 || !told(verdict, arm_mass_matrix_hint(verdict))) return 4;
    if (!told(1, arm_dqdt_hint(1)) || !told(-1, arm_dqdt_hint(-1)) || !told(1000, arm_energy_hint(1000))) return 5;
    if (arm_nx != ARM_NX || arm_nv != ARM_NV || arm_nu != ARM_NU || arm_np != ARM_NP) return 6;
    if (arm_model_size() != sizeof model) return 7;
    for (int i = 0; i < ARM_NX; i++) x[i] = NAN;
    verdict = arm_dqdt(&model, 0.0, x, u, dx);
    if (verdict == 0 || !told(verdict, arm_dqdt_hint(verdict)) || dx[0] != 0.0) return 8;
    puts("ok");
    return 0;
}
"#;

#[test]
fn a_caller_in_c_compiles_whatever_the_spec_becomes() {
    for (k, example) in ["cart_pole", "four_bar", "rolling_disc", "double_pendulum"].into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let text = std::fs::read_to_string(root(&format!("examples/specs/{example}.toml"))).unwrap();
        let spec = folder.path().join("arm.toml");
        std::fs::write(&spec, text.replace(&format!("name = \"{example}\""), "name = \"arm\"")).unwrap();
        let loaded = pipeline::load(&spec).unwrap();
        let wanted = vec![functions::DQDT, functions::ENERGY, functions::MASS_MATRIX];
        let formalism = pipeline::choose(&loaded, FormalismChoice::BySize, &wanted).unwrap();
        let program = pipeline::program(&loaded, &Request::new(formalism, wanted));
        let ascii = k % 2 == 1;
        let files = pipeline::c(&program, &COptions { ascii, ..COptions::default() }).unwrap();
        assert_eq!(ascii, files.header.is_ascii() && files.source.is_ascii(), "{example}");
        std::fs::write(folder.path().join("arm.h"), &files.header).unwrap();
        std::fs::write(folder.path().join("arm.c"), &files.source).unwrap();
        std::fs::write(folder.path().join("arm_driver.c"), CALLER).unwrap();
        for compiler in compilers() {
            let program = compile(&compiler, folder.path(), "arm", &[]);
            assert_eq!(run_driver(&program), [("ok".to_owned(), Vec::new())], "{example}");
        }
    }
}
