//! The report of `inspect --family`: formulas in the indices of a chain of links.

use dqdt_document::report::{Block, Math, Prose, Report, Section};
use dqdt_families::indexed::{Answer, Quantity, Stem};
use dqdt_families::notation::{Style, formula_math, square_math, symbol_math};

/// Report of the formulas of a family of mechanisms. `size` is the name of the number of links,
/// `proof` a sentence on further verification.
pub fn family_report(title: &str, size: &str, answers: &[Answer], proof: &str) -> Report {
    let mut report = Report::new(title, format!("formulas in terms of the indices, for {size} = 1, 2, 3, …"));
    let style = Style::new(size);
    type Selector = fn(&Quantity) -> bool;
    let kinds: [(&str, &str, Selector); 4] = [
        ("Mass matrix", "Elements of the mass matrix M.", |q| matches!(q, Quantity::Mass { .. })),
        (
            "Inertial terms",
            "c is a sum over products of rates and over their indices; each formula gives the coefficient of \
             the product of rates after the semicolon.",
            |q| matches!(q, Quantity::Inertial { .. }),
        ),
        ("Applied forces", "Applied generalised forces Q, including gravity.", |q| {
            matches!(q, Quantity::Applied { .. })
        }),
        ("Rates", "Rates of the coordinates, except rates that are themselves speeds.", |q| {
            matches!(q, Quantity::Rate { .. })
        }),
    ];
    for (heading, text, selects) in kinds {
        let selected: Vec<&Answer> =
            answers.iter().filter(|a| selects(&a.quantity) && !a.is_identity_rate()).collect();
        if selected.is_empty() {
            continue;
        }
        let mut section = Section::new(heading).with_block(Block::Paragraph(text.into()));
        let mut equations = Vec::new();
        let mut missing = Vec::new();
        for a in &selected {
            let left = quantity_symbol(a, &style);
            match &a.formula {
                Ok(f) => {
                    for (math, condition) in formula_math(f, &style) {
                        let right = match condition {
                            None => math,
                            Some(c) => Math::row([math, Math::operator("   ", r",\quad "), c]),
                        };
                        equations.push((left.clone(), right));
                    }
                }
                Err(why) => missing.push(Block::Note(Prose::from(left.clone()) + format!(": {why}."))),
            }
        }
        if !equations.is_empty() {
            section.blocks.push(Block::Equations(equations));
        }
        section.blocks.extend(missing);
        report.sections.push(section);
    }
    report.sections.push(verification_section(size, answers, proof));
    report
}

/// The section on how far the formulas of a family are verified.
fn verification_section(size: &str, answers: &[Answer], proof: &str) -> Section {
    let with_formula = answers.iter().filter(|a| a.formula.is_ok());
    let elements: usize = with_formula.clone().map(|a| a.entries_checked).sum();
    let verified = with_formula.clone().map(|a| a.verified_up_to).min().unwrap_or(0);
    let learned = with_formula.clone().map(|a| a.inferred_up_to).max().unwrap_or(0);
    if with_formula.clone().count() == 0 {
        let text = "The search found no formulas.".to_owned();
        return Section::new("Verification").with_block(Block::Paragraph(text.into()));
    }
    let text = format!(
        "The search found formulas for {} of {} blocks. They are verified for {size} ≤ {verified}: each \
         formula, fitted to {size} ≤ {learned}, reproduces its elements of the derived equations exactly, \
         {elements} elements in all. {proof} This does not prove the formulas for larger {size}.",
        with_formula.count(),
        answers.len(),
    );
    Section::new("Verification").with_block(Block::Paragraph(text.into()))
}

/// Left side of a family's formula: the quantity with its indices, `M[φᵢ, φⱼ]`.
fn quantity_symbol(answer: &Answer, style: &Style) -> Math {
    let [i, j] = &style.free_indices;
    match &answer.quantity {
        Quantity::Mass { row, column } => {
            let second = if row.indexed { j } else { i };
            letter_with_index(
                "M",
                &[indexed_symbol(row, i), Math::operator(", ", " "), indexed_symbol(column, second)],
            )
        }
        Quantity::Applied { row } => letter_with_index("Q", &[indexed_symbol(row, i)]),
        Quantity::Rate { coordinate } => indexed_symbol(coordinate, i).with_dot(),
        Quantity::Inertial { row, rates: None } => letter_with_index("c", &[indexed_symbol(row, i)]),
        Quantity::Inertial { row, rates: Some(rates) } => {
            let mut inner = vec![indexed_symbol(row, i), Math::operator("; ", r";\, ")];
            let second = if row.indexed { j } else { i };
            if rates.is_empty() {
                inner.push(Math::integer(1));
            }
            match &rates[..] {
                [a, b] if a == b => inner.push(square_math(&indexed_symbol(a, second))),
                rates => {
                    for (k, rate) in rates.iter().enumerate() {
                        inner.extend((k > 0).then(|| Math::operator(" ", r"\, ")));
                        inner.push(indexed_symbol(rate, second));
                    }
                }
            }
            letter_with_index("c", &inner)
        }
    }
}

/// Symbol of a family's name with an index, if the name has one per link.
fn indexed_symbol(stem: &Stem, index: &str) -> Math {
    symbol_math(stem, stem.indexed.then_some(index))
}

/// A letter with several symbols as its index.
fn letter_with_index(letter: &str, inner: &[Math]) -> Math {
    Math::identifier(letter).with_index(Math::row(inner.iter().cloned()))
}
