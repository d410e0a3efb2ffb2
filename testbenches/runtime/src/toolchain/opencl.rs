//! OpenCL C, by clang's front end for it.
//!
//! 1. The source and the built-in functions, both as the front end leaves them, are linked to one module of LLVM's
//!    intermediate representation. What is missing then is looked for among the functions that few kernels need, and in
//!    libclc, and the source is compiled again.
//! 2. The module is rewritten ([`super::ir`]): the RISC-V back end knows no kernels, and `__local` variables are one
//!    per CTA. This comes before any optimisation, which would take them for variables of a single thread.
//! 3. It is optimised, compiled, and linked with a start code per kernel and a section that names the kernels' parameters.
use std::path::PathBuf;
use std::slice;

use super::accepted::Accepted;
use super::ir::{Module, plain_name};
use super::{
    C_FLAGS, CODE_FLAGS, FRONT_END, Job, ONE_RETURN, SCRIPT, START, TARGET, ToolchainError, explained, failed, libclc,
    locks, missing, too_many_words, without_arguments,
};
use crate::loader::MOST_ARGUMENT_WORDS;
use crate::loader::signature::{KernelSignature, SECTION, Space, shared_of, start_of};

const PRELUDE: &str = include_str!("../../kernels/opencl.h");
const PRINTF: &str = include_str!("../../kernels/printf.c");
const SHARED: &str = include_str!("../../kernels/built_ins.h");

/// Some of the built-in functions.
struct Part {
    file: &'static str,
    text: &'static str,
    /// Whether a function is in it, by its name in a module.
    has: fn(&str) -> bool,
}

/// All of them, each before those that it needs. There are thousands, which takes time: a kernel is compiled with the parts that it needs.
const PARTS: &[Part] = &[
    Part { file: "conversions.cl", text: include_str!("../../kernels/conversions.cl"), has: is_conversion },
    Part { file: "seldom.cl", text: include_str!("../../kernels/seldom.cl"), has: is_seldom },
    Part {
        file: "integers.cl",
        text: include_str!("../../kernels/integers.cl"),
        has: |name| is_built_in(name) && !is_conversion(name) && !is_seldom(name) && !is_of_floats(name),
    },
    Part {
        file: "floats.cl",
        text: include_str!("../../kernels/floats.cl"),
        has: |name| is_built_in(name) && !is_conversion(name) && !is_seldom(name) && is_of_floats(name),
    },
    WORK_ITEMS,
    FROM_LIBCLC,
];
const WORK_ITEMS: Part = Part { file: "opencl.cl", text: include_str!("../../kernels/opencl.cl"), has: |_| false };
const FROM_LIBCLC: Part = Part {
    file: "libclc.cl",
    text: include_str!("../../kernels/libclc.cl"),
    has: |name| name.starts_with(libclc::PREFIX),
};

fn is_built_in(name: &str) -> bool {
    name.starts_with("_Z")
}

/// A conversion that saturates or names a rounding mode.
fn is_conversion(name: &str) -> bool {
    let plain = plain_name(name);
    plain.starts_with("convert_") && (plain.contains("_sat") || plain.contains("_rt"))
}

fn is_seldom(name: &str) -> bool {
    const STARTS: &[&str] =
        &["vload_half", "vloada_half", "vstore_half", "vstorea_half", "shuffle", "async_", "prefetch", "wait_group"];
    STARTS.iter().any(|start| plain_name(name).starts_with(start))
}

/// By the types behind the name.
fn is_of_floats(name: &str) -> bool {
    let plain = plain_name(name);
    plain == "nan" || plain.contains("float") || name.rsplit(plain).next().is_some_and(|types| types.contains('f'))
}

const FRONT_END_FLAGS: &[&str] = &[
    // As attributes of the functions.
    "-fno-optimize-sibling-calls",
    "-fno-jump-tables",
    // So that it is missing under its own name.
    "-fno-builtin-printf",
];
const OPENCL_FLAGS: &[&str] = &[
    "-cl-std=CL1.2",
    "-Xclang",
    "-cl-ext=+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,\
     +cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,+cl_khr_byte_addressable_store",
    "-cl-kernel-arg-info",
    // There is no other.
    "-cl-single-precision-constant",
    "-Wall",
    // It does not know that other work-items write __local variables.
    "-Wno-uninitialized",
    // It takes the floats of printf for doubles, which there are none of.
    "-Wno-format",
];

/// Kernels by their names, and why they cannot be.
type LeftOut = Vec<(String, String)>;

pub(super) fn compile(job: &mut Job) -> Result<Vec<u8>, ToolchainError> {
    let module = linked(job)?;
    let all = module.kernels();
    if all.is_empty() {
        return Err(unsupported(job, "there is no `__kernel` function in it".into()));
    }
    let mut left_out: LeftOut =
        all.iter().filter_map(|kernel| Some((kernel.name.clone(), check(kernel).err()?))).collect();
    let kernels = rest(job, &all, &left_out)?;
    let text = module.lowered(&all).map_err(|problem| unsupported(job, problem))?;
    let assembly = job.compile_own("lowered.ll", &locks::kept(text), &[CODE_FLAGS, ONE_RETURN, &["-S"]].concat())?;
    let entries: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    let mut objects = vec![job.assemble(&assembly, &entries)?, job.compile_runtime()?];
    if module.missing().contains(&"printf") {
        objects.push(job.compile_own("printf.c", PRINTF, &[CODE_FLAGS, C_FLAGS, ONE_RETURN].concat())?);
    }
    let elf = match link(job, &module, &kernels, &objects) {
        Err(ToolchainError::Unsupported { .. }) => {
            // Each on its own, to see which of them it is.
            for kernel in &kernels {
                match link(job, &module, slice::from_ref(kernel), &objects) {
                    Err(ToolchainError::Unsupported { problem, .. }) => left_out.push((kernel.name.clone(), problem)),
                    linked => drop(linked?),
                }
            }
            let kernels = rest(job, &all, &left_out)?;
            link(job, &module, &kernels, &objects)?
        }
        linked => linked?,
    };
    let of_kernel = |kernel: &KernelSignature| problem(kernel, &left_out);
    match job.options.kernel.clone() {
        None => {
            let problems = all.iter().filter_map(of_kernel);
            job.messages.extend(problems.map(|problem| format!("warning: left out: {problem}\n")));
        }
        Some(chosen) => {
            if let Some(problem) = all.iter().find(|kernel| kernel.name == chosen).and_then(of_kernel) {
                return Err(unsupported(job, problem));
            }
        }
    }
    Ok(elf)
}

/// Why a kernel is left out, if it is.
fn problem(kernel: &KernelSignature, left_out: &LeftOut) -> Option<String> {
    let (name, problem) = left_out.iter().find(|(name, _)| *name == kernel.name)?;
    Some(format!("kernel `{name}`: {problem}"))
}

/// The kernels that are not left out.
fn rest(job: &Job, all: &[KernelSignature], left_out: &LeftOut) -> Result<Vec<KernelSignature>, ToolchainError> {
    let rest: Vec<_> = all.iter().filter(|kernel| problem(kernel, left_out).is_none()).cloned().collect();
    if rest.is_empty() {
        let problems: Vec<String> = all.iter().filter_map(|kernel| problem(kernel, left_out)).collect();
        return Err(unsupported(job, problems.join("\n  ")));
    }
    Ok(rest)
}

/// Kernels, each with its start code. What they need and nobody has is [`ToolchainError::Unsupported`].
fn link(
    job: &mut Job,
    module: &Module,
    kernels: &[KernelSignature],
    objects: &[PathBuf],
) -> Result<Vec<u8>, ToolchainError> {
    let names = serde_json::to_string(kernels).expect("names and numbers");
    job.write("kernels.json", &names)?;
    let start = job.compile_own("start.s", &start(kernels), &[])?;
    // The __local variables of different kernels lie at the same place.
    let linked = job.link(&script(kernels), &["--no-check-sections"], &[&[start], objects].concat());
    linked.map_err(|error| explained(error, Some(module)))
}

/// The source and what it needs of the built-in functions.
fn linked(job: &mut Job) -> Result<Module, ToolchainError> {
    job.write("opencl.h", PRELUDE)?;
    job.write("built_ins.h", SHARED)?;
    let prelude = job.path("opencl.h").display().to_string();
    let common = [OPENCL_FLAGS, FRONT_END, FRONT_END_FLAGS, &["-include", &prelude]].concat();
    let mut libraries: Vec<Option<PathBuf>> = PARTS.iter().map(|_| None).collect();
    let mut needed = vec![WORK_ITEMS.file];
    let messages = job.messages.len();
    let mut accepted = Accepted::default();
    loop {
        for (part, library) in PARTS.iter().zip(&mut libraries).filter(|(part, _)| needed.contains(&part.file)) {
            *library = Some(compiled(job, part, &common)?);
        }
        // Its warnings are the same every time.
        job.messages.truncate(messages);
        let module = module(job, &common, &libraries, &mut accepted)?;
        if let Some(problem) = (!job.libclc.is_file()).then(|| missing::of_libclc(&module, &job.libclc)).flatten() {
            return Err(unsupported(job, problem));
        }
        let missing = module.missing();
        let is_new = |(part, library): &(&Part, &Option<PathBuf>)| {
            library.is_none() && missing.iter().any(|name| (part.has)(name))
        };
        needed = PARTS.iter().zip(&libraries).filter(is_new).map(|(part, _)| part.file).collect();
        if needed.is_empty() {
            return Ok(module);
        }
    }
}

fn compiled(job: &mut Job, part: &Part, flags: &[&str]) -> Result<PathBuf, ToolchainError> {
    let libclc = job.libclc.display().to_string();
    let of_work_items = if part.file == WORK_ITEMS.file { job.options.of_work_items() } else { Vec::new() };
    let of_work_items: Vec<&str> = of_work_items.iter().map(String::as_str).collect();
    // It is of another target, and has nothing in it that depends on that.
    let link = ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", &libclc, "-Wno-linker-warnings"];
    let link = if part.file == FROM_LIBCLC.file { link.as_slice() } else { &[] };
    job.compile_own(part.file, part.text, &[flags, link, &of_work_items].concat())
}

/// The source and the first function of each name in these libraries.
fn module(
    job: &mut Job,
    flags: &[&str],
    libraries: &[Option<PathBuf>],
    accepted: &mut Accepted,
) -> Result<Module, ToolchainError> {
    let libraries: Vec<String> = libraries.iter().flatten().map(|library| library.display().to_string()).collect();
    let link = libraries.iter().flat_map(|library| ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", library]);
    let flags: Vec<&str> = [TARGET, flags, &["-S"]].concat().into_iter().chain(link).collect();
    let module = accepted.retried(|accepted| {
        let more = accepted.flags(job)?;
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        job.compile_here(&[flags.as_slice(), &more].concat(), "kernel.ll")
    })?;
    Ok(Module::new(std::fs::read_to_string(&module).map_err(failed(&module))?))
}

fn unsupported(job: &Job, problem: String) -> ToolchainError {
    ToolchainError::Unsupported { source_file: job.source.clone(), problem }
}

/// That a kernel can be given its arguments.
fn check(kernel: &KernelSignature) -> Result<(), String> {
    for parameter in &kernel.parameters {
        let (argument, kind) = (&parameter.name, &parameter.type_name);
        if kind.starts_with("image") || kind == "sampler_t" {
            return Err(format!("its argument `{argument}` is of type {kind}, and there are no images"));
        }
        if parameter.space == Space::Private && is_no_float(kind) {
            return Err(format!("its argument `{argument}` is of type {kind}, and there are floats of 32 bits only"));
        }
    }
    if kernel.words() > MOST_ARGUMENT_WORDS {
        return Err(too_many_words(kernel.words()));
    }
    Ok(())
}

/// Numbers, or vectors of them, of which there are none.
fn is_no_float(kind: &str) -> bool {
    matches!(kind.trim_end_matches(|c: char| c.is_ascii_digit()), "double" | "half")
}

/// As for C, once for every kernel; the first is the entry point.
fn start(kernels: &[KernelSignature]) -> String {
    let (head, body) = START.split_once("_start:\n").expect("the start code has its label");
    let body = body.split("    .size").next().expect("a first part");
    let section = head.lines().find(|line| line.contains(".section")).expect("the start code has a section");
    let mut text = format!("{section}\n    .globl _start\n_start:\n");
    for kernel in kernels {
        let name = &kernel.name;
        let body = if kernel.fits_registers() { body.to_string() } else { without_arguments(body) };
        let (start, body) = (start_of(name), body.replace("call    kernel", &format!("call    {name}")));
        text += &format!(
            "    .globl {start}\n    .type {start}, @function\n{start}:\n{body}    .size {start}, . - {start}\n"
        );
    }
    text + &format!("    .section {SECTION}, \"\", @progbits\n    .incbin \"kernels.json\"\n")
}

/// As for C, with shared memory for the variables of every kernel.
fn script(kernels: &[KernelSignature]) -> String {
    let mut script = String::new();
    for line in SCRIPT.lines() {
        let of_kernels = |text: &dyn Fn(usize, &str) -> String| -> String {
            kernels.iter().enumerate().map(|(index, kernel)| text(index, &kernel.name)).collect()
        };
        script += &match line.trim_start() {
            line if line.starts_with("shared PT_LOAD") => {
                of_kernels(&|index, _| format!("{}\n", line.replace("shared", &format!("shared{index}"))))
            }
            line if line.starts_with(".shared") => of_kernels(&|index, name| {
                let shared = shared_of(name);
                let line = line.replace(".bss.shared", &format!(".bss{shared}"));
                format!("{}\n", line.replacen(".shared", &shared, 1).replace(":shared", &format!(":shared{index}")))
            }),
            line => format!("{line}\n"),
        };
    }
    script
}
