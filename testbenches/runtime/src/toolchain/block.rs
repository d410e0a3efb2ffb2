//! Kernels whose arguments are more, or other, than registers hold: those read the argument block themselves.
//!
//! The function keeps what it does and loses its name, to a wrapper without parameters, into which it is inlined:
//!
//! ```text
//! define void @k(i32 %0, %struct.P* byval(%struct.P) %1) !dbg !7
//!
//! define void @k() !dbg !7 { load all from CSR 0xCCF; call void @k.body(...) alwaysinline }
//! define internal void @k.body(i32 %0, %struct.P* byval(%struct.P) %1)
//! ```
//!
//! So the words are loaded from where all threads have the same ones, which the analysis of branches knows, and a structure
//! whose fields have constant places is never copied. By the convention for C they would lie on the stack of every thread.
use std::fmt::Write;

use super::ir::{is_name, uses};
use super::layout::{items, leading_type, size_and_alignment};
use crate::loader::{REGISTER_ARGUMENTS, place_of_argument};

/// A parameter of a function, as its definition has it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct IrParameter<'a> {
    /// Type and attributes, without the name.
    text: &'a str,
    /// What is passed: of a structure by value, the structure.
    pub value: &'a str,
    is_structure: bool,
}

/// The parameters in a line `define ... @name(...`.
pub(super) fn parameters(definition: &str) -> Vec<IrParameter<'_>> {
    let Some(list) = list(definition) else { return Vec::new() };
    let parameter = |item| {
        let text = str::rsplit_once(item, " %").map_or(item, |(text, _)| text);
        let structure = text.split_once("byval(").and_then(|(_, rest)| rest.split(')').next());
        IrParameter { text, value: structure.unwrap_or(leading_type(text)), is_structure: structure.is_some() }
    };
    items(list).into_iter().map(parameter).collect()
}

/// What is between the parentheses behind the name.
fn list(definition: &str) -> Option<&str> {
    let list = definition.split_once('@')?.1.split_once('(')?.1;
    let mut depth = 1;
    let end = list.find(|character| {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    Some(&list[..end?])
}

/// The contents of a structure of a module.
pub(super) fn named<'a>(module: &'a str) -> impl Fn(&str) -> Option<&'a str> {
    move |name| module.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = type "))
}

/// Words of the arguments of a function; none if it is not there, or nobody knows the size of one.
pub(super) fn words(module: &str, function: &str) -> Option<usize> {
    let named = named(module);
    let parameters = parameters(definition(module, function)?).into_iter();
    parameters.map(|parameter| Some(size_and_alignment(parameter.value, &named)?.0.div_ceil(4) as usize)).sum()
}

fn definition<'a>(module: &'a str, function: &str) -> Option<&'a str> {
    let head = format!("@{function}(");
    module.lines().find(|line| line.starts_with("define ") && line.contains(&head))
}

/// The module with a function that takes its arguments from the block.
pub(super) fn reading_block(module: &str, function: &str) -> String {
    let Some(definition) = definition(module, function) else { return module.into() };
    // Only the wrapper calls it then, and has made the copies that it may write to.
    let own_copies = !module.lines().any(|line| line.starts_with(' ') && uses(line, function));
    let Some(wrapper) = wrapper(module, definition, function, own_copies) else { return module.into() };
    let body = format!("{function}.body");
    let mut text = String::with_capacity(module.len() + wrapper.len());
    for line in module.lines() {
        let is_code = line.starts_with("define ") || line.starts_with(' ');
        let renamed = if is_code { renamed(line, function, &body) } else { line.into() };
        text += &match line == definition {
            true if own_copies => by_address(&internal(&renamed)),
            true => internal(&renamed),
            false => renamed,
        };
        text.push('\n');
    }
    text + &wrapper
}

/// A definition without its linkage and its place in the source, which the wrapper has.
fn internal(definition: &str) -> String {
    let definition = definition.replacen("define dso_local ", "define internal ", 1);
    match (definition.split_once(" !dbg "), place(&definition)) {
        (Some((head, rest)), Some(place)) => format!("{head}{}", rest.strip_prefix(place).unwrap_or(rest)),
        _ => definition,
    }
}

/// Parameters whose structures are the caller's.
fn by_address(parameters: &str) -> String {
    let mut parts = parameters.split("byval(");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once(')').map_or(part, |(_, rest)| rest.trim_start()))
}

fn place(definition: &str) -> Option<&str> {
    definition.split_once(" !dbg ")?.1.split_whitespace().next()
}

fn renamed(line: &str, from: &str, to: &str) -> String {
    let mut parts = line.split('@');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let rest = part.strip_prefix(from).filter(|rest| !rest.starts_with(is_name));
        let _ = match rest {
            Some(rest) => write!(text, "@{to}{rest}"),
            None => write!(text, "@{part}"),
        };
    }
    text
}

fn wrapper(module: &str, definition: &str, function: &str, own_copies: bool) -> Option<String> {
    let named = named(module);
    let is_opaque =
        parameters(definition).iter().any(|parameter| parameter.value == "ptr" || parameter.text.starts_with("ptr "));
    let to = |of: &str| if is_opaque { "ptr".to_string() } else { format!("{of}*") };
    let word = to("i32");
    let attributes = definition.split_whitespace().find(|word| word.starts_with('#')).unwrap_or_default();
    let place = place(definition).map_or(String::new(), |place| format!(" !dbg {place}"));
    let mut code = format!(
        "define dso_local void @{function}() {attributes}{place} {{\n  %block = call {word} asm \"csrr $0, 0xCCF\", \"=r\"()\n"
    );
    let (mut first, mut given) = (0, Vec::new());
    for (index, parameter) in parameters(definition).into_iter().enumerate() {
        let IrParameter { text, value, is_structure } = parameter;
        let (size, alignment) = size_and_alignment(value, &named)?;
        let words = size.div_ceil(4) as usize;
        let at = |argument| format!("getelementptr i32, {word} %block, i32 {}", place_of_argument(argument));
        let is_split = first < REGISTER_ARGUMENTS && first + words > REGISTER_ARGUMENTS;
        if is_structure || is_split {
            // In one piece, and nobody else's.
            code += &format!("  %c{index} = alloca [{words} x i32], align {}\n", alignment.max(4));
            code += &format!("  %w{index} = bitcast {} %c{index} to {word}\n", to(&format!("[{words} x i32]")));
            for k in 0..words {
                code += &format!(
                    "  %a{index}.{k} = {}\n  %l{index}.{k} = load i32, {word} %a{index}.{k}, align 4\n  \
                     %d{index}.{k} = getelementptr i32, {word} %w{index}, i32 {k}\n  \
                     store i32 %l{index}.{k}, {word} %d{index}.{k}, align 4\n",
                    at(first + k)
                );
            }
        } else {
            code += &format!("  %w{index} = {}\n", at(first));
        }
        code += &format!("  %p{index} = bitcast {word} %w{index} to {}\n", to(value));
        if is_structure {
            let text = if own_copies { by_address(text) } else { text.into() };
            given.push(format!("{text} %p{index}"));
        } else {
            code += &format!("  %v{index} = load {value}, {} %p{index}, align 4\n", to(value));
            given.push(format!("{text} %v{index}"));
        }
        first += words;
    }
    code += &format!("  call void @{function}.body({}) alwaysinline\n  ret void\n}}\n", given.join(", "));
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "%struct.P = type { i32, i8 }\n\
        @text = constant [2 x i8] c\"@k\"\n\
        define dso_local void @k(i32* noundef %0, i8 signext %1, %struct.P* noundef byval(%struct.P) align 4 %2) #0 !dbg !7 {\n  \
        call void @k(i32* %0)\n  call void @kk(i32* @k.a)\n  ret void\n}\n";

    #[test]
    fn a_wrapper_takes_the_name() {
        let text = reading_block(MODULE, "k");
        for line in [
            "define internal void @k.body(i32* noundef %0, i8 signext %1, %struct.P* noundef byval(%struct.P) align 4 %2) #0 {",
            "  call void @k.body(i32* %0)",
            "  call void @kk(i32* @k.a)",
            "@text = constant [2 x i8] c\"@k\"",
            "define dso_local void @k() #0 !dbg !7 {",
            "  %v1 = load i8, i8* %p1, align 4",
            "  call void @k.body(i32* noundef %v0, i8 signext %v1, %struct.P* noundef byval(%struct.P) align 4 %p2) alwaysinline",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
        assert_eq!(words(MODULE, "k"), Some(4));
        assert_eq!(words(MODULE, "none"), None);
        assert_eq!(reading_block(MODULE, "none"), MODULE);
    }

    /// What nobody else calls takes its structures where the wrapper has put them.
    #[test]
    fn structures_are_copied_once() {
        let text = reading_block(&MODULE.replace("  call void @k(i32* %0)\n", ""), "k");
        for line in [
            "define internal void @k.body(i32* noundef %0, i8 signext %1, %struct.P* noundef align 4 %2) #0 {",
            "  call void @k.body(i32* noundef %v0, i8 signext %v1, %struct.P* noundef align 4 %p2) alwaysinline",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
    }

    /// Where the stack pointer lies between the words of one argument, they are put together.
    #[test]
    fn an_argument_around_the_stack_pointer() {
        let longs = (0..5).map(|k| format!("i32 %{}, i64 %{}", 2 * k, 2 * k + 1)).collect::<Vec<_>>().join(", ");
        let text = reading_block(&format!("define dso_local void @k({longs}) {{\n  ret void\n}}\n"), "k");
        assert_eq!(text.matches("alloca").count(), 1, "{text}");
        assert!(text.contains("%a5.0 = getelementptr i32, i32* %block, i32 7\n"), "{text}");
        assert!(text.contains("%a5.1 = getelementptr i32, i32* %block, i32 9\n"), "{text}");
        assert!(text.contains("%w9 = getelementptr i32, i32* %block, i32 14\n"), "{text}");
    }
}
