//! The arguments of a launch, checked against the parameters of the kernel.
use anyhow::{Context, Result, bail, ensure};
use warploom_runtime::host::DEFAULT_GLOBAL_BYTES;
use warploom_runtime::loader::signature::{KernelSignature, Kind, Parameter, Space};
use warploom_runtime::loader::{MOST_ARGUMENT_WORDS, SHARED_BASE};
use warploom_sim::files;

use super::values::value_words;
use super::{Bound, Fill, UserKernel};
use crate::argument::{Argument, Contents, Element, Value};
use crate::cli::LaunchArgs;
use crate::suggest::nearest;

impl UserKernel {
    /// Of C or assembler: arguments by their places.
    pub(super) fn bind_in_order(&mut self, args: &LaunchArgs) -> Result<()> {
        if let Some(buffer) = args.buffers.first() {
            bail!(
                "--buffer {buffer}: the parameters of {} have no names; give them in order, as in --arg random:i32:256",
                self.program.name
            );
        }
        let most = self.program.argument_words;
        ensure!(
            args.arguments.len() <= most,
            "--arg: {} has up to {most} arguments, not {}",
            self.program.name,
            args.arguments.len()
        );
        let least = self.program.least_arguments();
        ensure!(
            args.arguments.len() >= least,
            "--arg: {} reads {least} arguments, and is given {}: one --arg for each, in order (0 where nothing is meant)",
            self.program.name,
            args.arguments.len()
        );
        for (index, argument) in args.arguments.iter().enumerate() {
            if argument.name.is_some() {
                bail!(
                    "--arg {argument}: the parameters of {} have no names; give the values in order",
                    self.program.name
                );
            }
            match &argument.value {
                Value::Number(number) => {
                    let Some(word) = word(*number) else { bail!("--arg {number}: it is a number of 32 bits") };
                    self.arguments.push(Bound::Words(vec![word]));
                }
                Value::Float(bits) => self.arguments.push(Bound::Words(vec![*bits])),
                Value::Elements(_) | Value::Bytes(_) => {
                    bail!(
                        "--arg {argument}: in C it is a number of 32 bits, or a buffer; structures and vectors are OpenCL's"
                    )
                }
                value => {
                    self.add_buffer(&format!("arg{index}"), value, None).with_context(|| format!("--arg {argument}"))?
                }
            }
        }
        Ok(())
    }

    /// Of OpenCL C: arguments by the names of the parameters.
    pub(super) fn bind(&mut self, kernel: &KernelSignature, args: &LaunchArgs) -> Result<()> {
        let given = || args.arguments.iter().chain(&args.buffers);
        let parameters = &kernel.parameters;
        let names = || parameters.iter().map(|parameter| parameter.name.as_str());
        for argument in given() {
            let Some(name) = argument.name.as_deref() else {
                bail!(
                    "--arg {argument}: `{}` takes its arguments by name, as in --arg {}=...",
                    kernel.name,
                    names().next().unwrap_or("n")
                );
            };
            ensure!(
                names().any(|other| other == name),
                "`{}` has no parameter `{name}`{}",
                kernel.name,
                nearest(name, names())
            );
            let times = given().filter(|other| other.name.as_deref() == Some(name)).count();
            ensure!(times == 1, "`{name}` is given {times} times");
        }
        let words = kernel.words();
        ensure!(
            words <= MOST_ARGUMENT_WORDS,
            "`{}` has parameters of {words} words; a kernel has up to {MOST_ARGUMENT_WORDS} (those of 64 bits take two)",
            kernel.name
        );
        for parameter in parameters {
            let argument = given().find(|argument| argument.name.as_ref() == Some(&parameter.name));
            let Some(argument) = argument else { bail!("`{}` needs {}", kernel.name, usage(parameter)) };
            self.bind_one(parameter, argument)?;
        }
        Ok(())
    }

    fn bind_one(&mut self, parameter: &Parameter, Argument { value, .. }: &Argument) -> Result<()> {
        let Parameter { name, type_name, space, .. } = parameter;
        if *space == Space::Private {
            self.arguments.push(Bound::Words(value_words(parameter, value)?));
            return Ok(());
        }
        let is_local = matches!(value, Value::Buffer { contents: Contents::Local, .. });
        match value {
            Value::Number(_) | Value::Float(_) | Value::Elements(_) | Value::Bytes(_) => {
                bail!("`{name}` is a pointer ({type_name}): give it {}", usage(parameter))
            }
            _ if is_local != (*space == Space::Local) => {
                let memory = if is_local { "global" } else { "local" };
                bail!("`{name}` points to {memory} memory: give it {}", usage(parameter));
            }
            value => {
                let element = parameter.element().map(|integer| integer.bytes as usize);
                self.add_buffer(name, value, element)
                    .with_context(|| format!("--buffer {name}={value}: `{name}` is {}", with_article(type_name)))
            }
        }
    }

    /// A buffer whose elements must have this size.
    fn add_buffer(&mut self, name: &str, value: &Value, size: Option<usize>) -> Result<()> {
        let fits = |element: &Element| {
            let size = size.unwrap_or(element.bytes);
            let or_float = if size == 4 { " or f32" } else { "" };
            ensure!(element.bytes == size, "the type has to be i{bits} or u{bits}{or_float}", bits = 8 * size);
            Ok(())
        };
        let (bytes, element, fill) = match value {
            Value::Number(_) | Value::Float(_) | Value::Elements(_) | Value::Bytes(_) => unreachable!("not a buffer"),
            Value::File { path, element } => {
                element.as_ref().map_or(Ok(()), fits)?;
                let most = DEFAULT_GLOBAL_BYTES as u64;
                let contents = files::read(path, most).with_context(|| format!("cannot read {}", path.display()))?;
                let size = element.map(|element| element.bytes).or(size).unwrap_or(1);
                ensure!(!contents.is_empty(), "{} is empty", path.display());
                ensure!(
                    contents.len().is_multiple_of(size),
                    "{} has {} bytes, which is no multiple of {size}",
                    path.display(),
                    contents.len()
                );
                (contents.len(), size, Fill::Bytes(contents))
            }
            Value::Buffer { contents, element, count } => {
                fits(element)?;
                let bytes = element.bytes * count;
                // Before they are made: whether all of them together fit is seen when they are.
                ensure!(
                    bytes <= DEFAULT_GLOBAL_BYTES,
                    "it has {bytes} bytes, and the memory of the core {DEFAULT_GLOBAL_BYTES}"
                );
                let fill = match contents {
                    Contents::Zero => Fill::Zero,
                    Contents::Random if element.kind == Kind::Float => Fill::RandomFloats,
                    Contents::Random => Fill::Random,
                    Contents::Iota if element.kind == Kind::Float => {
                        Fill::Bytes((0..*count).flat_map(|i| (i as f32).to_le_bytes()).collect())
                    }
                    Contents::Iota => {
                        Fill::Bytes((0..*count).flat_map(|i| i.to_le_bytes()[..element.bytes].to_vec()).collect())
                    }
                    Contents::Local => {
                        let offset = self.program.shared_bytes.next_multiple_of(16) + self.local_bytes;
                        self.local_bytes = (offset + bytes as u32).next_multiple_of(16)
                            - self.program.shared_bytes.next_multiple_of(16);
                        self.arguments.push(Bound::Words(vec![SHARED_BASE + offset]));
                        return Ok(());
                    }
                };
                (bytes, element.bytes, fill)
            }
        };
        self.arguments.push(Bound::Buffer { name: name.into(), bytes, element, fill });
        Ok(())
    }
}

/// As in `an int`, `a uint`.
pub(super) fn with_article(type_name: &str) -> String {
    format!("{} {type_name}", if type_name.starts_with('i') { "an" } else { "a" })
}

/// How a parameter is given its argument.
pub(super) fn usage(parameter: &Parameter) -> String {
    let Parameter { name, type_name, space, .. } = parameter;
    let element = parameter
        .element()
        .map_or("u32".to_string(), |integer| Element { bytes: integer.bytes as usize, kind: integer.kind }.to_string());
    match space {
        Space::Private if parameter.scalar().is_some() => format!("--arg {name}=VALUE ({type_name})"),
        Space::Private => match parameter.vector() {
            Some((_, count)) => format!("--arg {name}=VALUE,.. ({type_name}: {count} numbers)"),
            None => {
                let bytes = parameter.bytes();
                format!(
                    "--arg {name}=hex:BYTES or --arg {name}=file:PATH ({type_name}: {bytes} bytes as they lie in memory)"
                )
            }
        },
        Space::Local => format!("--buffer {name}=local:{element}:COUNT ({type_name} in local memory)"),
        Space::Global | Space::Constant => {
            format!("--buffer {name}=KIND:{element}:COUNT ({type_name}; KIND is zero, random or iota, or file:PATH)")
        }
    }
}

/// A number of 32 bits, with or without sign.
fn word(number: i128) -> Option<u32> {
    u32::try_from(number).ok().or_else(|| i32::try_from(number).ok().map(|number| number as u32))
}
