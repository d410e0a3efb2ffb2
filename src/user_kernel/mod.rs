//! A kernel of the user's own: what it is launched with, checked against its parameters, and what comes out.
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use twox_hash::XxHash64;
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Buffer, Device, DeviceError, Layout, Session, volume};
use warploom_runtime::kernels::micro::Micro;
use warploom_runtime::kernels::{Problem, Random};
use warploom_runtime::loader::Program;
use warploom_runtime::loader::signature::{self, KernelSignature};
use warploom_runtime::toolchain::{self, Options};
use warploom_sim::files;

use crate::cli::LaunchArgs;
use crate::output;
use crate::suggest::nearest;

mod arguments;
mod outputs;
mod values;
mod work_groups;

pub use outputs::Outputs;
use work_groups::{divide, local, work_groups};

/// One launch.
pub struct UserKernel {
    /// The program.
    pub program: Program,
    /// CTAs.
    grid: [u32; 3],
    /// Threads of a CTA.
    block: [u32; 3],
    arguments: Vec<Bound>,
    /// Bytes of shared memory besides the program's own.
    local_bytes: u32,
    /// Of random buffers.
    seed: u64,
}

/// What the argument block gets.
#[derive(Hash)]
enum Bound {
    /// These words.
    Words(Vec<u32>),
    /// The address of a new buffer; its parameter or place, for messages and `--dump`, and the size of an element.
    Buffer { name: String, bytes: usize, element: usize, fill: Fill },
}

/// A buffer, and where it will lie.
pub struct PlacedBuffer {
    /// Its parameter or place.
    pub name: String,
    /// The first address.
    pub address: u32,
    /// Its size.
    pub bytes: usize,
    /// Bytes of an element.
    pub element: usize,
}

/// What is written to a new buffer.
#[derive(Hash)]
enum Fill {
    Zero,
    Random,
    /// From 0 up to 1.
    RandomFloats,
    Bytes(Vec<u8>),
}

/// Behind every buffer there is so much memory that nobody may write.
const GUARD_BYTES: usize = 64;
/// What is in it.
const GUARD: u8 = 0xA5;

/// What has been compiled already: a source that runs on several cores is compiled once.
#[derive(Default)]
pub struct Compiled(Vec<(PathBuf, Options, Vec<u8>)>);

impl Compiled {
    fn elf(&mut self, path: &Path, options: Options) -> Result<Vec<u8>> {
        if let Some((_, _, elf)) = self.0.iter().find(|(other, with, _)| other == path && *with == options) {
            return Ok(elf.clone());
        }
        let (elf, warnings) = toolchain::compile(path, options.clone())?;
        if !warnings.is_empty() {
            output::say!("{}", warnings.trim_end());
        }
        self.0.push((path.to_path_buf(), options, elf.clone()));
        Ok(elf)
    }
}

impl UserKernel {
    /// What the arguments ask for: a source file is compiled.
    pub fn new(name: &str, args: &LaunchArgs, config: &CoreConfig, compiled: &mut Compiled) -> Result<Self> {
        let path = Path::new(name);
        let bytes = if toolchain::is_source(path) {
            let options = Options {
                offset: args.offset.map_or([0; 3], |offset| offset.0),
                dimensions: args.global.map(|global| global.dimensions),
                ..args.source.options(args.function.as_deref())
            };
            compiled.elf(path, options)?
        } else {
            check_compiled(name, args)?;
            files::read(path, files::MOST).with_context(|| format!("cannot read {name}"))?
        };
        Self::load(name, &bytes, args, config)
    }

    /// One of warploom's small programs, launched like a kernel of the user's own; its block by default as it needs it.
    pub fn of_micro(micro: &Micro, args: &LaunchArgs, config: &CoreConfig) -> Result<Self> {
        check_compiled(micro.name, args)?;
        let args = LaunchArgs { block: args.block.or(micro.threads), ..args.clone() };
        Self::load(micro.name, micro.binary.elf, &args, config)
    }

    pub fn load(name: &str, bytes: &[u8], args: &LaunchArgs, config: &CoreConfig) -> Result<Self> {
        ensure!(
            args.size.is_none(),
            "--size is for the kernels of `warploom kernels`; one of your own takes --grid, --block and --arg, or --global, --local, \
             --buffer and --arg"
        );
        ensure!(args.selectivity.is_none(), "--selectivity is for the kernels of `warploom kernels` that select");
        let kernels = signature::kernels(bytes);
        let Some(kernel) = choose(&kernels, args.function.as_deref(), name)? else {
            return Self::plain(Program::from_elf(name, bytes)?, args, config);
        };
        let program = Program::from_elf_kernel(name, bytes, &kernel.name)?;
        let (grid, block) = work_groups(kernel, args, config)?;
        let mut own = Self { program, grid, block, arguments: Vec::new(), local_bytes: 0, seed: args.seed() };
        own.bind(kernel, args)?;
        own.check_seed(args)?;
        Ok(own)
    }

    /// Of C or assembler.
    fn plain(program: Program, args: &LaunchArgs, config: &CoreConfig) -> Result<Self> {
        let (grid, block) = match args.global {
            Some(global) => divide(global.sizes, local(None, global.sizes, args, config)?)?,
            None => {
                ensure!(args.local.is_none(), "--local: it goes with --global; with --grid, it is --block");
                let block = Problem { block: args.block, ..Problem::new(1) }.threads(config) as u32;
                ([args.grid.unwrap_or(1), 1, 1], [block, 1, 1])
            }
        };
        let mut own = Self { program, grid, block, arguments: Vec::new(), local_bytes: 0, seed: args.seed() };
        own.bind_in_order(args)?;
        own.check_seed(args)?;
        Ok(own)
    }

    fn check_seed(&self, args: &LaunchArgs) -> Result<()> {
        let random =
            |argument: &Bound| matches!(argument, Bound::Buffer { fill: Fill::Random | Fill::RandomFloats, .. });
        ensure!(
            args.seed.is_none() || self.arguments.iter().any(random),
            "--seed: {} is given no random buffer, which would be filled by it",
            self.program.name
        );
        Ok(())
    }

    /// Work-items of the launch.
    pub fn threads(&self) -> u64 {
        volume(self.grid).saturating_mul(volume(self.block))
    }

    /// Of the program and what it is given, as a number: the same on every core.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = XxHash64::default();
        (self.program.fingerprint(), &self.arguments, self.local_bytes, self.seed).hash(&mut hasher);
        hasher.finish()
    }

    /// Its buffers, on a core of these sizes.
    pub fn buffers(&self, config: &CoreConfig) -> Vec<PlacedBuffer> {
        let mut layout = Layout::new(&self.program, config);
        let mut placed = Vec::new();
        for argument in &self.arguments {
            if let Bound::Buffer { name, bytes, element, .. } = argument {
                let address = layout.place(words_with_guard(*bytes)).address;
                placed.push(PlacedBuffer { name: name.clone(), address, bytes: *bytes, element: *element });
            }
        }
        placed
    }

    /// Checks that there are buffers or variables of these names.
    pub fn check_dumps(&self, dumps: &[(String, PathBuf)]) -> Result<()> {
        for (name, _) in dumps {
            let names = || {
                self.arguments.iter().filter_map(|argument| match argument {
                    Bound::Buffer { name, .. } => Some(name.as_str()),
                    Bound::Words(_) => None,
                })
            };
            if names().any(|other| other == name) {
                continue;
            }
            if name.contains("..") || self.program.variables.contains_key(name) {
                outputs::check(&self.program, name)?;
                continue;
            }
            let variables = self.program.variables.keys().map(String::as_str);
            bail!("--dump {name}: there is no buffer `{name}`{}", nearest(name, names().chain(variables)));
        }
        Ok(())
    }

    /// Launches it.
    pub fn run(&self, device: &mut dyn Device) -> Result<Outputs, DeviceError> {
        let mut session = Session::new(device, &self.program)?;
        let (mut words, mut buffers) = (Vec::new(), Vec::new());
        let mut random = Random::new(self.seed);
        for argument in &self.arguments {
            match argument {
                Bound::Words(given) => words.extend(given),
                Bound::Buffer { name, bytes, fill, .. } => {
                    let buffer = session.buffer(&contents(*bytes, fill, &mut random))?;
                    words.push(buffer.address);
                    buffers.push((name, *bytes, buffer));
                }
            }
        }
        // The program's own shared memory is rounded up as the offsets of the others were.
        let own = self.program.shared_bytes;
        let local_bytes = self.local_bytes
            + if self.local_bytes > 0 { own.next_multiple_of(16) - own.next_multiple_of(4) } else { 0 };
        session.launch(self.grid, self.block, local_bytes as usize / 4, &words)?;
        let mut outputs = Outputs::of(&mut session, &self.program);
        for (name, size, buffer) in buffers {
            let mut bytes = read(&mut session, buffer);
            if let Some(offset) = bytes[size..].iter().position(|&byte| byte != GUARD) {
                outputs.overrun.get_or_insert(format!(
                    "`{name}` has {size} bytes, and the kernel wrote to byte {}, behind its end",
                    size + offset
                ));
            }
            bytes.truncate(size);
            outputs.buffers.push((name.clone(), bytes));
        }
        Ok(outputs)
    }
}

/// Words of a buffer of so many bytes and of the guard behind it.
fn words_with_guard(size: usize) -> usize {
    (size.next_multiple_of(GUARD_BYTES) + GUARD_BYTES) / 4
}

/// That nothing is asked for that a program is compiled with.
fn check_compiled(name: &str, args: &LaunchArgs) -> Result<()> {
    ensure!(
        args.offset.is_none(),
        "--offset is for an OpenCL source (.cl), which is compiled with it; {name} is compiled already"
    );
    args.source.check_compiled(name)
}

/// The words of a new buffer and of the guard behind it.
fn contents(size: usize, fill: &Fill, random: &mut Random) -> Vec<u32> {
    let mut bytes = match fill {
        Fill::Zero => vec![0; size],
        Fill::Random => random.words(size.div_ceil(4)).iter().flat_map(|word| word.to_le_bytes()).collect(),
        Fill::RandomFloats => (0..size / 4).flat_map(|_| random.float().to_le_bytes()).collect(),
        Fill::Bytes(bytes) => bytes.clone(),
    };
    bytes.truncate(size);
    bytes.resize(4 * words_with_guard(size), GUARD);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

fn read(session: &mut Session, buffer: Buffer) -> Vec<u8> {
    session.read(buffer).iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The kernel that is meant; none if the file is not from OpenCL C.
fn choose<'a>(kernels: &'a [KernelSignature], name: Option<&str>, file: &str) -> Result<Option<&'a KernelSignature>> {
    let names = || kernels.iter().map(|kernel| kernel.name.as_str());
    match (kernels, name) {
        ([], None) => Ok(None),
        ([], Some(name)) => bail!("--kernel {name}: {file} is not from OpenCL C, and has one kernel"),
        ([only], None) => Ok(Some(only)),
        (_, None) => {
            bail!("{file} has several kernels: name one of {} with --kernel", names().collect::<Vec<_>>().join(", "))
        }
        (_, Some(name)) => match kernels.iter().find(|kernel| kernel.name == name) {
            Some(kernel) => Ok(Some(kernel)),
            None => bail!("--kernel {name}: there is no such kernel in {file}{}", nearest(name, names())),
        },
    }
}
