//! A case and its machine as a small assembly file: clang takes it as it is, and it is read back without any assembler.
//!
//! A line `# core`, `# gpu`, `# shape`, `# memory` or `# data` has a JSON value; of core, GPU and memory only what differs from the `tiny` preset, from
//! [`SharedParts::plain`] and from the default memory. Without `# gpu` it is a core alone.
//! Instructions are `.4byte` lines; what stands behind them is for people.
use std::fmt::Write;

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use warploom_hdl::config::CoreConfig;
use warploom_runtime::disassembly::instruction;
use warploom_runtime::host::MemoryTiming;
use warploom_runtime::loader::Program;
use warploom_runtime::machines::in_gpu;

use super::{Case, Machine, SharedParts};

/// A case on a core, or on a GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct OnMachine {
    /// What it runs on.
    pub machine: Machine,
    /// The case.
    pub case: Case,
}

/// The text of a file; `about` is put first, as comments.
///
/// # Errors
/// None but those of serde.
pub fn text(about: &str, OnMachine { machine, case }: &OnMachine) -> Result<String> {
    let mut text = String::new();
    for line in about.lines() {
        writeln!(text, "# {line}")?;
    }
    writeln!(text, "# core {}", difference(&machine.config, &CoreConfig::tiny())?)?;
    if let Some(shared) = &machine.shared {
        writeln!(text, "# gpu {}", difference(shared, &usual())?)?;
    }
    writeln!(text, "# shape {}", serde_json::to_string(&case.shape)?)?;
    writeln!(text, "# memory {}", difference(&case.timing, &MemoryTiming::default())?)?;
    writeln!(text, "# data {}", case.data)?;
    writeln!(text, "    .globl _start\n_start:")?;
    for (index, &word) in case.program.words.iter().enumerate() {
        let pc = 4 * index as u32;
        let assembly: Vec<_> = instruction(word, pc).split_whitespace().map(str::to_string).collect();
        writeln!(text, "    .4byte {word:#010x}  # {pc:04x}: {}", assembly.join(" "))?;
    }
    Ok(text)
}

/// The case of a file; `name` is for messages.
///
/// # Errors
/// If it is no such file: the line, and what is wrong with it.
pub fn parse(name: &str, text: &str) -> Result<OnMachine> {
    let (mut core, mut gpu, mut shape, mut memory, mut data) = (None, None, None, None, None);
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let place = || format!("{name}, line {}", number + 1);
        if let Some(comment) = line.strip_prefix("# ") {
            let (key, value) = comment.split_once(' ').unwrap_or((comment, ""));
            let field = match key {
                "core" => &mut core,
                "gpu" => &mut gpu,
                "shape" => &mut shape,
                "memory" => &mut memory,
                "data" => &mut data,
                _ => continue,
            };
            *field = Some(serde_json::from_str::<Value>(value).with_context(|| format!("{}: # {key}", place()))?);
        } else if let Some(code) = line.strip_prefix(".4byte") {
            let digits = code.split('#').next().unwrap_or_default().trim().trim_start_matches("0x");
            let word = u32::from_str_radix(digits, 16);
            words.push(word.with_context(|| format!("{}: `{digits}` is no instruction word", place()))?);
        } else if !(line.is_empty() || line.starts_with('#') || line.starts_with(".globl") || line.ends_with(':')) {
            bail!("{}: `{line}`; instructions are .4byte lines", place());
        }
    }
    let missing = |key: &str| format!("{name}: no line `# {key} ...`: a file that `warploom fuzz` has written has one");
    let config: CoreConfig = merged(core.with_context(|| missing("core"))?, &CoreConfig::tiny())
        .with_context(|| format!("{name}: # core"))?;
    config.check().with_context(|| format!("{name}: # core"))?;
    let machine = match gpu {
        None => Machine::alone(&config),
        Some(gpu) => of_gpu(&config, gpu).with_context(|| format!("{name}: # gpu"))?,
    };
    let shape =
        serde_json::from_value(shape.with_context(|| missing("shape"))?).with_context(|| format!("{name}: # shape"))?;
    let timing = merged(memory.with_context(|| missing("memory"))?, &MemoryTiming::default())
        .with_context(|| format!("{name}: # memory"))?;
    let data =
        serde_json::from_value(data.with_context(|| missing("data"))?).with_context(|| format!("{name}: # data"))?;
    ensure!(!words.is_empty(), "{name}: no instructions");
    Ok(OnMachine { machine, case: Case { program: Program::from_words(name, words)?, shape, timing, data } })
}

/// What a GPU has of which a file says nothing.
fn usual() -> SharedParts {
    SharedParts::plain(2, 1)
}

fn of_gpu(config: &CoreConfig, gpu: Value) -> Result<Machine> {
    let shared: SharedParts = merged(gpu, &usual())?;
    let config = in_gpu(config);
    shared.check(&config).map_err(anyhow::Error::msg)?;
    Ok(Machine::gpu(&config, shared))
}

/// The fields that differ.
fn difference<T: Serialize>(value: &T, usual: &T) -> Result<Value> {
    let (Value::Object(mut fields), Value::Object(usual)) =
        (serde_json::to_value(value)?, serde_json::to_value(usual)?)
    else {
        bail!("no structure");
    };
    fields.retain(|name, value| usual.get(name) != Some(value));
    Ok(Value::Object(fields))
}

/// `usual` with the fields of `value` in place of its own.
fn merged<T: Serialize + DeserializeOwned>(value: Value, usual: &T) -> Result<T> {
    let mut all = serde_json::to_value(usual)?;
    let (Value::Object(fields), Some(all_fields)) = (value, all.as_object_mut()) else { bail!("it is no object") };
    let unknown = fields.keys().find(|name| !all_fields.contains_key(*name));
    ensure!(unknown.is_none(), "there is no field `{}`", unknown.map_or("", |name| name));
    all_fields.extend(fields);
    Ok(serde_json::from_value(all)?)
}

#[cfg(test)]
mod tests {
    use warploom_hdl::mechanism::MECHANISMS;

    use super::*;
    use crate::fuzz::campaign::BLOCK;
    use crate::fuzz::{Campaign, GpuSize};
    use crate::random_program::Choices;

    #[test]
    fn files_are_read_back() {
        for seed in 0..60 {
            let gpu = (seed % 2 == 1).then_some(GpuSize { cores: 1 + seed as usize % 4, channels: None });
            let campaign = Campaign { mechanisms: MECHANISMS.to_vec(), isa: None, gpu };
            let machine = campaign.blocks(seed * BLOCK..seed * BLOCK + 1).next().unwrap().machine;
            let mut case = Case::draw(&mut Choices::random(seed), &machine.config).unwrap();
            let text = text("about\nit", &OnMachine { machine: machine.clone(), case: case.clone() }).unwrap();
            case.program.name = "a.s".into();
            assert_eq!(parse("a.s", &text).unwrap(), OnMachine { machine, case }, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let good = "# core {}\n# shape {\"grid\":[1,1,1],\"block\":[4,1,1],\"spare_words\":0}\n# memory {}\n# data 0\n.4byte 0x0000100b\n";
        assert_eq!(parse("a.s", good).unwrap().machine, Machine::alone(&CoreConfig::tiny()));
        for (from, to, message) in [
            ("# core {}\n", "", "a.s: no line `# core ...`: a file that `warploom fuzz` has written has one"),
            ("core {}", "core {\"lanes\":6}", "a.s: # core: lanes 6: it is 4, 8, 16 or 32 ("),
            ("core {}", "core {\"lines\":6}", "a.s: # core: there is no field `lines`"),
            ("# data", "# gpu {\"channels\":5}\n# data", "a.s: # gpu: channels 5: it is one of 1, 2, 3, "),
            ("# data", "# gpu {\"cores\":17}\n# data", "a.s: # gpu: cores 17: it is 1 to 16"),
            ("# data", "# gpu {\"gddr5\":true}\n# data", "a.s: # gpu: line_bytes 32 of the core: it is 64 and more"),
            ("data 0", "data x", "a.s, line 4: # data: "),
            (".4byte 0x0000100b", "exit", "a.s, line 5: `exit`; instructions are .4byte lines"),
            ("0x0000100b", "1q", "a.s, line 5: `1q` is no instruction word"),
        ] {
            let error = format!("{:#}", parse("a.s", &good.replace(from, to)).unwrap_err());
            assert!(error.starts_with(message), "{error}");
        }
    }
}
