//! Reference page of the command line, generated from its `clap` definition.

use clap::{Arg, Command};

use super::page::{escape_cell, markdown_table};

/// Renders the reference page of the command line as Markdown.
pub(super) fn command_page(command: &Command) -> String {
    let mut out = format!("# The command\n\n{}\n", about_text(command));
    out.push_str(
        "\nResults go to standard output, messages to standard error. The exit status is 0 for success, 1 \
         for a negative answer or bad input, and 2 for \"undecided\" or incorrect usage. A URDF or MJCF file of a \
         robot is accepted wherever a spec is.\n",
    );
    let shown: Vec<&Command> = command.get_subcommands().filter(|c| !c.is_hide_set()).collect();
    let rows: Vec<Vec<String>> = shown
        .iter()
        .map(|c| vec![format!("[`dqdt {0}`](#dqdt-{0})", c.get_name()), escape_cell(&about_text(c))])
        .collect();
    out.push_str(&markdown_table(&["command", "effect"], &rows));
    for c in shown {
        out.push_str(&format!("## `dqdt {}`\n\n{}.\n\n", c.get_name(), about_text(c).trim_end_matches('.')));
        let (places, options): (Vec<&Arg>, Vec<&Arg>) = c
            .get_arguments()
            .filter(|a| !a.is_hide_set() && a.get_id() != "help")
            .partition(|a| a.is_positional());
        let usage: Vec<String> = places.iter().map(|a| positional_usage(a)).collect();
        let more = if options.is_empty() { "" } else { " [OPTIONS]" };
        out.push_str(&format!(
            "```text\n{}\n```\n",
            format!("dqdt {} {}{more}", c.get_name(), usage.join(" ")).trim_end()
        ));
        let rows: Vec<Vec<String>> = places.iter().chain(&options).map(|a| argument_row(a)).collect();
        if !rows.is_empty() {
            out.push_str(&markdown_table(&["argument", "meaning"], &rows));
        }
        if let Some(after) = c.get_after_help() {
            out.push_str(&format!("{after}\n\n"));
        }
    }
    out
}

fn about_text(c: &Command) -> String {
    c.get_about().map(ToString::to_string).unwrap_or_default()
}

fn value_name(a: &Arg) -> String {
    let first = a.get_value_names().and_then(|n| n.first()).map(ToString::to_string);
    first.unwrap_or_else(|| a.get_id().to_string().to_uppercase())
}

fn positional_usage(a: &Arg) -> String {
    let name = value_name(a);
    if a.is_required_set() { name } else { format!("[{name}]") }
}

fn argument_row(a: &Arg) -> Vec<String> {
    let takes_value = a.get_action().takes_values();
    let mut name = match (a.get_short(), a.get_long()) {
        _ if a.is_positional() => positional_usage(a),
        (Some(s), Some(l)) => format!("-{s}, --{l}"),
        (None, Some(l)) => format!("--{l}"),
        (Some(s), None) => format!("-{s}"),
        (None, None) => a.get_id().to_string(),
    };
    if takes_value && !a.is_positional() {
        name.push_str(&format!(" {}", value_name(a)));
    }
    let mut text = a.get_help().map(ToString::to_string).unwrap_or_default();
    let words: Vec<String> = if takes_value {
        let shown = a.get_possible_values().into_iter().filter(|v| !v.is_hide_set());
        shown.map(|v| format!("`{}`", v.get_name())).collect()
    } else {
        Vec::new()
    };
    if !words.is_empty() {
        text.push_str(&format!(". One of {}", words.join(", ")));
    }
    let defaults: Vec<String> =
        a.get_default_values().iter().map(|v| format!("`{}`", v.to_string_lossy())).collect();
    if takes_value && !defaults.is_empty() {
        text.push_str(&format!(". Default: {}", defaults.join(", ")));
    }
    vec![format!("`{}`", name.replace('|', "\\|")), escape_cell(&text)]
}
