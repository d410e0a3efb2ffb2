//! What a kernel uses and nobody has: from the linker's message to one that names the function, the kernel and the line.
use std::collections::BTreeSet;
use std::path::Path;

use super::accepted::UNDECLARED;
use super::ir::Module;
use super::{HEADER, libclc};

/// Explains every undefined symbol that the linker names; of OpenCL C with its line.
pub(super) fn explain(messages: &str, module: Option<&Module>) -> String {
    let mut problems: Vec<String> = Vec::new();
    let mut is_of_header = false;
    for message in messages.split("undefined symbol: ").skip(1) {
        let mut lines = message.lines();
        let name = lines.next().unwrap_or_default().trim();
        let place = lines.take_while(|line| line.starts_with(">>>")).find_map(|line| line.split(".o:(").nth(1));
        let function = place.and_then(|place| place.split(')').next()).map(|name| name.trim_start_matches(".text."));
        let function = function.unwrap_or("?");
        let is_kernel = module.is_none() && (name, function) == ("kernel", "_start");
        // One for all: what a program does with them is many functions.
        if is_soft_float(name) && problems.iter().any(|problem| problem.starts_with(NO_DOUBLE)) {
            continue;
        }
        let problem = match module {
            Some(module) => of_symbol(name, function, module),
            None if is_soft_float(name) => format!("{NO_DOUBLE}: `{name}` is needed in `{function}`"),
            None if is_kernel => NO_KERNEL.to_string(),
            None => format!("there is no function `{name}`, needed in `{function}`"),
        };
        if !problems.contains(&problem) {
            problems.push(problem);
        }
        // Older compilers take a function that is not declared for one of another file.
        is_of_header |= module.is_none() && !is_kernel && is_in_header(name);
    }
    problems.extend(is_of_header.then(|| INCLUDE.to_string()));
    problems.join("\n  ")
}

/// What stands before a name that the linker finds in two places.
pub(super) const TWICE: &str = "duplicate symbol: ";

/// Explains the names that the source and what it is linked with both have.
pub(super) fn taken(messages: &str) -> String {
    let names: BTreeSet<&str> = messages.split(TWICE).skip(1).filter_map(|message| message.lines().next()).collect();
    let problem = |name| format!("`{name}` is a function of what every kernel is linked with; give yours another name");
    names.into_iter().map(|name| problem(name.trim())).collect::<Vec<_>>().join("\n  ")
}

/// How to get what is in the header.
pub(super) const INCLUDE: &str = "did you forget #include \"warploom.h\"?";

/// Whether the header for kernels in C has this function.
pub(super) fn is_in_header(name: &str) -> bool {
    HEADER.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).any(|word| word == name)
}

pub(super) const NO_KERNEL: &str = "there is no kernel: a kernel in C is `void kernel(...)`, and not static";

const NO_DOUBLE: &str = "there are floats of 32 bits only, no double and no half";

/// Of functions that are libclc's: which the source uses, in which lines, and how to get libclc. Nothing if it needs none.
pub(super) fn of_libclc(module: &Module, file: &Path) -> Option<String> {
    let missing = module.missing().into_iter().filter(|name| name.starts_with(libclc::PREFIX));
    let mut needs: Vec<_> = missing.filter_map(|name| module.needs(name)).collect();
    needs.sort_by_key(|(_, _, line)| *line);
    let mut problems: Vec<_> = needs.iter().map(|(used, function, line)| no_built_in(used, function, *line)).collect();
    if problems.is_empty() {
        return None;
    }
    problems.push(libclc::how_to_get(file));
    Some(problems.join("\n  "))
}

fn of_symbol(name: &str, function: &str, module: &Module) -> String {
    let or_function = |found: Option<(String, u32)>| found.unwrap_or_else(|| (function.to_string(), 0));
    if is_soft_float(name) {
        let line = module.source_line(Some(function), |line| is_float(line) && names_wide(line));
        let (function, line) = or_function(line);
        return format!("{NO_DOUBLE}: `{name}` is needed {}", place(&function, line));
    }
    let plain = name.split('(').next().unwrap_or(name);
    let mangled = format!("@_Z{}{plain}", plain.len());
    let exact = format!("@{plain}(");
    let line = module.source_line(Some(function), |line| {
        line.contains("call ") && (line.contains(&mangled) || line.contains(&exact))
    });
    let (function, line) = or_function(line);
    no_built_in(name.strip_prefix(UNDECLARED).unwrap_or(name), &function, line)
}

fn no_built_in(name: &str, function: &str, line: u32) -> String {
    format!("there is no built-in function `{name}`, needed {}", place(function, line))
}

/// Line 0 is none.
fn place(function: &str, line: u32) -> String {
    if line == 0 { format!("in `{function}`") } else { format!("in `{function}`, line {line}") }
}

/// The names of the compiler's floating-point functions: `__addsf3`, `__floatsisf`, `__unorddf2`.
fn is_soft_float(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("__") else { return false };
    ["sf", "df", "hf", "tf", "h2f", "f2h"].iter().any(|kind| rest.contains(kind))
}

/// Whether an instruction has something to do with numbers that are no floats of 32 bits.
fn names_wide(instruction: &str) -> bool {
    ["double", "half", "fp128"].iter().any(|kind| instruction.contains(kind))
}

fn is_float(instruction: &str) -> bool {
    let operations = [
        "fadd ",
        "fsub ",
        "fmul ",
        "fdiv ",
        "frem ",
        "fcmp ",
        "sitofp ",
        "uitofp ",
        "fptosi ",
        "fptoui ",
        "fpext ",
        "fptrunc ",
        ".fmuladd.",
    ];
    operations.iter().any(|operation| instruction.contains(operation))
}
