//! LLVM's intermediate representation as text, as far as OpenCL kernels need it: which kernels there are, and what the
//! RISC-V back end does not know about them.
use std::collections::{BTreeMap, BTreeSet};

use super::block::{self, named};
use super::layout::size_and_alignment;
use crate::loader::signature::{KernelSignature, Parameter, Scalar, Space, shared_of};

/// A module.
pub(super) struct Module {
    text: String,
}

impl Module {
    pub fn new(text: String) -> Self {
        Self { text }
    }

    /// The kernels, in the order of the source.
    pub fn kernels(&self) -> Vec<KernelSignature> {
        let definitions =
            self.text.lines().filter(|line| line.starts_with("define ") && line.contains(" spir_kernel "));
        definitions.filter_map(|line| self.kernel(line)).collect()
    }

    fn kernel(&self, definition: &str) -> Option<KernelSignature> {
        let name = function_name(definition)?.to_string();
        let list = |kind: &str| self.attached(definition, kind).unwrap_or_default();
        let (names, types) = (list("kernel_arg_name"), list("kernel_arg_base_type"));
        let spaces = list("kernel_arg_addr_space");
        let named = named(&self.text);
        let parameters = names.into_iter().zip(types).zip(spaces).zip(block::parameters(definition)).map(
            |(((name, type_name), space), parameter)| {
                let space = match space.as_str() {
                    "1" => Space::Global,
                    "2" => Space::Constant,
                    "3" => Space::Local,
                    _ => Space::Private,
                };
                let type_name = match integer(parameter.value) {
                    // By whatever name: an enumeration.
                    Some(integer) if space == Space::Private && Scalar::by_name(&type_name).is_none() => integer.into(),
                    _ => short_name(&type_name),
                };
                let bytes = size_and_alignment(parameter.value, &named).map_or(0, |(size, _)| size);
                Parameter::new(name, type_name, space, bytes)
            },
        );
        let parameters = parameters.collect();
        let sizes: Vec<u32> = list("reqd_work_group_size").iter().filter_map(|size| size.parse().ok()).collect();
        Some(KernelSignature { name, parameters, work_group: sizes.try_into().ok() })
    }

    /// The strings or numbers of a list that is attached to a function: `!kind !7`, with `!7 = !{!"a", !"b"}`.
    fn attached(&self, definition: &str, kind: &str) -> Option<Vec<String>> {
        let list = definition.split(&format!(" !{kind} ")).nth(1)?.split_whitespace().next()?;
        let line = self.metadata(list)?;
        let items = line.strip_prefix("!{")?.strip_suffix('}')?;
        let item = |item: &str| match item.strip_prefix("!\"") {
            Some(text) => text.trim_end_matches('"').to_string(),
            None => item.rsplit(' ').next().unwrap_or_default().to_string(),
        };
        Some(items.split(", ").filter(|item| !item.is_empty()).map(item).collect())
    }

    /// The functions that are called and not there, but for the compiler's own.
    pub fn missing(&self) -> Vec<&str> {
        let declarations = self.text.lines().filter(|line| line.starts_with("declare "));
        declarations.filter_map(function_name).filter(|name| !name.starts_with("llvm.")).collect()
    }

    fn metadata(&self, number: &str) -> Option<&str> {
        let head = format!("{number} = ");
        self.text.lines().find_map(|line| line.strip_prefix(&head))
    }

    /// Without the calling conventions of OpenCL, and with every `__local` variable in the section of its kernel.
    pub fn lowered(&self, kernels: &[KernelSignature]) -> Result<String, String> {
        let mut function = "";
        let mut lowered = String::with_capacity(self.text.len());
        let locals: Vec<(&str, &str)> = self.text.lines().filter_map(|line| local_variable(line, kernels)).collect();
        for line in self.text.lines() {
            if line.starts_with("define ") {
                function = function_name(line).unwrap_or_default();
            }
            let called = locals.iter().find(|(_, kernel)| line.contains(" call spir_kernel ") && uses(line, kernel));
            if let Some((_, kernel)) = called {
                return Err(format!("`{function}` calls the kernel `{kernel}`, which has __local variables"));
            }
            if line.starts_with('@') && local_variable(line, kernels).is_some() {
                let (_, kernel) = local_variable(line, kernels).expect("one");
                let section = format!(" undef, section \".bss{}\", align", shared_of(kernel));
                lowered +=
                    &line.replacen("internal global", "dso_local global", 1).replacen(" undef, align", &section, 1);
            } else {
                for &(variable, kernel) in &locals {
                    if kernel != function && line.starts_with(' ') && uses(line, variable) {
                        return Err(format!(
                            "`{function}` uses `{variable}`, a __local variable of `{kernel}`: pass it as an argument"
                        ));
                    }
                }
                if line.starts_with("attributes ") {
                    lowered += &without_features(line);
                    lowered.push('\n');
                    continue;
                }
                let is_instruction = line.starts_with(' ') && line.contains("call ");
                let is_code = line.starts_with("define ") || line.starts_with("declare ") || is_instruction;
                lowered += &if is_code {
                    with_rounding(line).replace(" spir_kernel ", " ").replace(" spir_func ", " ")
                } else {
                    line.into()
                };
            }
            lowered.push('\n');
        }
        let declares = |name: &str| self.text.lines().any(|line| line.starts_with("declare ") && line.contains(name));
        let needed: Vec<_> = ROUNDING.iter().filter(|(name, _)| declares(&intrinsic(name))).collect();
        if !needed.is_empty() && !declares(&intrinsic("copysign")) {
            lowered += "declare float @llvm.copysign.f32(float, float)\n";
        }
        for (name, mode) in needed {
            lowered += &ROUNDED.replace("NAME", name).replace("MODE", mode);
        }
        let read_block = kernels.iter().filter(|kernel| !kernel.fits_registers());
        Ok(read_block.fold(lowered, |text, kernel| block::reading_block(&text, &kernel.name)))
    }

    /// Where the source needs a function, itself or for a built-in one that it calls: what it calls, from which of its functions, in which
    /// line.
    pub fn needs(&self, missing: &str) -> Option<(String, String, u32)> {
        let mut name = missing.to_string();
        // There is no recursion among built-in functions.
        loop {
            let (function, line) = self.source_line(None, |line| line.contains("call ") && uses(line, &name))?;
            let is_built_in = line == 0
                && self
                    .text
                    .lines()
                    .any(|line| line.starts_with("define internal ") && function_name(line) == Some(&function));
            if !is_built_in {
                return Some((plain_name(&name).to_string(), function, line));
            }
            name = function;
        }
    }

    /// The first line of the source at which something is done, that of an instruction for which `is` holds: in this function or
    /// those that it calls, or, if there is none of this name, in any.
    pub fn source_line(&self, from: Option<&str>, is: impl Fn(&str) -> bool) -> Option<(String, u32)> {
        let reached = from.map(|from| self.reached(from)).filter(|reached| !reached.is_empty());
        let mut function = "";
        for line in self.text.lines() {
            if line.starts_with("define ") {
                function = function_name(line).unwrap_or_default();
            }
            if line.starts_with("  ") && reached.as_ref().is_none_or(|reached| reached.contains(function)) && is(line) {
                let place = line.split("!dbg ").nth(1).and_then(|rest| rest.split(',').next());
                let number = place
                    .and_then(|place| self.metadata(place))
                    .and_then(|location| location.split("line: ").nth(1)?.split([',', ')']).next()?.parse().ok());
                return Some((function.to_string(), number.unwrap_or(0)));
            }
        }
        None
    }

    /// A function and those that it names, and so on; none if it is not there.
    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let mut function = "";
        let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for line in self.text.lines() {
            if line.starts_with("define ") {
                function = function_name(line).unwrap_or_default();
                names.entry(function).or_default();
            } else if line.starts_with("  ") {
                let named = line.split('@').skip(1).filter_map(|rest| rest.split(|c| !is_name(c)).next());
                names.entry(function).or_default().extend(named);
            }
        }
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some((name, named)) = open.pop().and_then(|name| names.get_key_value(name)) {
            if reached.insert(*name) {
                open.extend(named.iter().filter(|name| names.contains_key(*name)));
            }
        }
        reached
    }
}

/// OpenCL's name of an integer.
fn integer(ir_type: &str) -> Option<&'static str> {
    let types = [("i8", "char"), ("i16", "short"), ("i32", "int"), ("i64", "long")];
    types.iter().find(|(of_ir, _)| *of_ir == ir_type).map(|(_, name)| *name)
}

/// `int4*` for `int __attribute__((ext_vector_type(4)))*`.
fn short_name(type_name: &str) -> String {
    type_name.replace(" __attribute__((ext_vector_type(", "").replace(")))", "")
}

/// The functions to integers that are floats still, and their rounding modes.
const ROUNDING: &[(&str, &str)] =
    &[("floor", "rdn"), ("ceil", "rup"), ("trunc", "rtz"), ("rint", "rne"), ("round", "rmm")];

/// One of them in instructions: LLVM 14 would call a library.
const ROUNDED: &str = include_str!("../../kernels/rounding.ll");

/// Attributes without the features of a target: libclc's has others, and all is compiled for this one.
fn without_features(attributes: &str) -> String {
    match attributes
        .split_once(" \"target-features\"=\"")
        .and_then(|(head, rest)| Some((head, rest.split_once('"')?.1)))
    {
        Some((head, rest)) => format!("{head}{rest}"),
        None => attributes.into(),
    }
}

fn intrinsic(name: &str) -> String {
    format!("@llvm.{name}.f32(")
}

/// A line of code that has the functions of [`ROUNDED`] in place of LLVM's, whose declarations go.
fn with_rounding(line: &str) -> String {
    let Some((name, _)) = ROUNDING.iter().find(|(name, _)| line.contains(&intrinsic(name))) else { return line.into() };
    if line.starts_with("declare ") {
        String::new()
    } else {
        line.replace(&intrinsic(name), &format!("@warploom.{name}("))
    }
}

/// `sin` for `_Z3sinf`.
pub(super) fn plain_name(mangled: &str) -> &str {
    let Some(rest) = mangled.strip_prefix("_Z") else { return mangled };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let length = rest[..digits].parse().unwrap_or(0);
    rest[digits..].get(..length).unwrap_or(mangled)
}

/// The name in `define ... @name(...`.
pub(super) fn function_name(definition: &str) -> Option<&str> {
    definition.split_once('@')?.1.split('(').next()
}

/// Name and kernel of a `__local` variable: `@kernel.variable = internal global ... undef, align 4`.
fn local_variable<'a>(line: &'a str, kernels: &'a [KernelSignature]) -> Option<(&'a str, &'a str)> {
    let (name, rest) = line.strip_prefix('@')?.split_once(" = internal global ")?;
    if !rest.contains(" undef, align") {
        return None;
    }
    let (function, _) = name.split_once('.')?;
    kernels.iter().find(|kernel| kernel.name == function).map(|kernel| (name, kernel.name.as_str()))
}

pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

pub(super) fn uses(line: &str, variable: &str) -> bool {
    let mut parts = line.split('@').skip(1);
    parts.any(|part| part.strip_prefix(variable).is_some_and(|rest| !rest.starts_with(is_name)))
}
