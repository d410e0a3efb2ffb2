//! `warploom disasm`: a program as the core sees it, with what the hardware is told about its branches.
use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use warploom_runtime::disassembly::{Listed, ListedBranch, Source, listing};
use warploom_runtime::kernels::{all, micro};
use warploom_runtime::loader::{Program, signature};
use warploom_runtime::toolchain;
use warploom_sim::files;

use crate::cli::DisasmArgs;
use crate::output;
use crate::status::Status;
use crate::suggest::nearest;

const LEGEND: &str = "\
> begins a basic block. Of a conditional branch: rpc and lpc, where its sides meet and where they are likely to meet before;
uniform, if all threads of a CTA that come to it together go the same way; P, programmatic, or D, data-dependent.
spin: it closes a loop whose threads may wait there for others.";

/// Prints the listing.
pub fn disasm(args: &DisasmArgs) -> Result<Status> {
    let (elf, directory) = read(args)?;
    let kernels = signature::kernels(&elf);
    if let Some(name) = &args.kernel {
        let names = || kernels.iter().map(|kernel| kernel.name.as_str());
        ensure!(!kernels.is_empty(), "--kernel {name}: {} is not from OpenCL C, and has one kernel", args.program);
        ensure!(
            names().any(|other| other == name),
            "--kernel {name}: there is no such kernel in {}{}",
            args.program,
            nearest(name, names())
        );
    }
    let listed = listing(&args.program, &elf, args.kernel.as_deref())?;
    let program = Program::from_elf(&args.program, &elf)?;
    for note in &program.notes {
        output::say!("note: {note}");
    }
    if args.json {
        output::print(serde_json::to_string_pretty(&listed)?)?;
    } else {
        output::print(text(&program, &listed, &mut Sources { directory, files: HashMap::new() })?)?;
    }
    Ok(Status::Pass)
}

/// The ELF of a shipped kernel, a micro-kernel, a source or a file; and where its sources are.
fn read(args: &DisasmArgs) -> Result<(Vec<u8>, PathBuf)> {
    let name = args.program.as_str();
    let path = Path::new(name);
    let directory = path.parent().map(Path::to_path_buf).unwrap_or_default();
    if !toolchain::is_source(path) {
        args.source.check_compiled(name)?;
    }
    if let Some(kernel) = all().find(|kernel| kernel.name() == name) {
        return Ok((kernel.binary().elf.to_vec(), directory));
    }
    if let Some(micro) = micro::find(name) {
        return Ok((micro.binary.elf.to_vec(), directory));
    }
    let is_path = path.exists() || path.components().count() > 1 || path.extension().is_some();
    let names = || all().map(|kernel| kernel.name()).chain(micro::MICRO.iter().map(|micro| micro.name));
    ensure!(
        is_path,
        "there is no kernel `{name}`, and no file of that name{}\n  see `warploom kernels`",
        nearest(name, names())
    );
    let elf = if toolchain::is_source(path) {
        let (elf, warnings) = toolchain::compile(path, args.source.options(args.kernel.as_deref()))?;
        if !warnings.is_empty() {
            output::say!("{}", warnings.trim_end());
        }
        elf
    } else {
        files::read(path, files::MOST).with_context(|| format!("cannot read {name}"))?
    };
    Ok((elf, directory))
}

/// The sources that are still where they were.
struct Sources {
    directory: PathBuf,
    /// Their lines, by their names in the ELF.
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    fn line(&mut self, Source { file, line }: &Source) -> String {
        let lines = self.files.entry(file.clone()).or_insert_with(|| {
            let text = fs::read_to_string(self.directory.join(file)).unwrap_or_default();
            text.lines().map(str::to_string).collect()
        });
        let text =
            (*line as usize).checked_sub(1).and_then(|index| lines.get(index)).map_or("", |text| text.trim_end());
        format!("{file}:{line}: {text}").trim_end().to_string()
    }
}

fn text(program: &Program, listed: &[Listed], sources: &mut Sources) -> Result<String> {
    let mut text = String::new();
    let mut source = None;
    for instruction in listed {
        let Listed { address, word, assembly, label, leader, target, branch, spin, .. } = instruction;
        if let Some(label) = label {
            writeln!(text, "{}{label}:", if text.is_empty() { "" } else { "\n" })?;
            source = None;
        }
        if instruction.source.is_some() && instruction.source != source {
            source.clone_from(&instruction.source);
            writeln!(text, "{}", source.as_ref().map(|source| sources.line(source)).unwrap_or_default())?;
        }
        let mut code = assembly.clone();
        if let Some(target) = target {
            let place = program.place(*target).to_string();
            if let Some((_, symbol)) = place.split_once(' ') {
                code += &format!(" {symbol}");
            }
        }
        let mark = if *leader { '>' } else { ' ' };
        let line = format!("{mark} {address:>6x}  {word:08x}  {code:<48}");
        let branch = branch.as_ref().map(beside);
        let spin = spin.then(|| "spin".to_string());
        let beside: Vec<String> = branch.into_iter().chain(spin).collect();
        writeln!(text, "{}", format!("{line} {}", beside.join(", ")).trim_end())?;
    }
    Ok(text + "\n" + LEGEND)
}

/// What stands beside a conditional branch.
fn beside(branch: &ListedBranch) -> String {
    let ListedBranch { rpc, lpc, uniform, class, .. } = branch;
    let rpc = rpc.map_or("never".into(), |rpc| format!("{rpc:#x}"));
    let lpc = lpc.map_or(String::new(), |lpc| format!(", lpc {lpc:#x}"));
    format!("{class}, rpc {rpc}{lpc}{}", if *uniform { ", uniform" } else { "" })
}
