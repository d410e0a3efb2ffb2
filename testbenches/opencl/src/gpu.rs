//! The core in its simulator, which is built when the first kernel is launched, and global memory, which is there before.
use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Arc, Mutex};

use opencl_sys::{
    CL_DEVICE_NOT_AVAILABLE, CL_INVALID_WORK_GROUP_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES,
};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_runtime::application::{LAUNCHES, Launched};
use warploom_runtime::host::{
    Device, DeviceError, GlobalMemory, Launch, LaunchStats, Layout, Limits, RtlDevice, take_printed,
};
use warploom_runtime::isa::decode;
use warploom_runtime::loader::Program;
use warploom_sim::{BuildOptions, Simulator};

use crate::allocator::Allocator;
use crate::error::{Error, Result};
use crate::machine::Machine;
use crate::recorder;

/// A kernel with all that a launch of it takes.
pub struct Work {
    /// The program, with this kernel as its entry.
    pub program: Arc<Program>,
    /// Name of the kernel.
    pub kernel: String,
    /// CTAs.
    pub grid: [u32; 3],
    /// Threads of a CTA.
    pub block: [u32; 3],
    /// Shared memory of a CTA, in bytes.
    pub shared_bytes: u32,
    /// Words of the arguments.
    pub arguments: Vec<u32>,
}

/// The device.
pub struct Gpu {
    machine: Machine,
    core: Simulated,
    /// Cycles of a core before this one.
    elapsed: u64,
    loaded: Option<Arc<Program>>,
    launches: Option<File>,
    /// Of its memory.
    pub allocator: Arc<Mutex<Allocator>>,
}

// SAFETY: what is not `Send` of a device are observers, and its only one has nothing of its own.
unsafe impl Send for Gpu {}

enum Simulated {
    NotYet(GlobalMemory),
    Running(Box<RtlDevice<'static>>),
}

impl Gpu {
    /// A machine with an empty memory.
    pub fn new(machine: Machine) -> Self {
        let allocator = Arc::new(Mutex::new(Allocator::new(machine.global_bytes)));
        let core = Simulated::NotYet(GlobalMemory::new(machine.global_bytes));
        Self { machine, core, elapsed: 0, loaded: None, launches: None, allocator }
    }

    /// Sizes of the core.
    pub fn config(&self) -> &CoreConfig {
        &self.machine.setting.core
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        match &mut self.core {
            Simulated::NotYet(memory) => memory,
            Simulated::Running(device) => device.memory(),
        }
    }

    /// A buffer's bytes.
    pub fn bytes(&mut self, address: u32, size: usize) -> &mut [u8] {
        self.memory().slice_mut(address, size).expect("buffers lie in global memory")
    }

    /// Cycles so far: the device's clock.
    pub fn cycle(&self) -> u64 {
        match &self.core {
            Simulated::NotYet(_) => self.elapsed,
            Simulated::Running(device) => self.elapsed + device.cycle(),
        }
    }

    /// Sees that the core has floats if the program does. They are half of what there is to simulate and to wait for at the start, so that a core
    /// is built without, until it needs them. The new one has seen no launch: its L2 is empty.
    fn provide_floats(&mut self, program: &Program, kernel: &str) -> Result<()> {
        let setting = &mut self.machine.setting;
        if setting.core.floats {
            return Ok(());
        }
        if setting.floats_if_needed && program.words.iter().any(|word| decode(*word).needs_floats()) {
            setting.core.floats = true;
            self.elapsed = self.cycle();
            let memory = std::mem::replace(self.memory(), GlobalMemory::new(0));
            (self.core, self.loaded) = (Simulated::NotYet(memory), None);
        } else if let Some(pc) = program.first_float {
            let reason = format!("kernel `{kernel}` has floats, and the core has none: at {}", program.place(pc));
            return Err(Error::new(CL_OUT_OF_RESOURCES, reason));
        }
        Ok(())
    }

    fn device(&mut self) -> Result<&mut RtlDevice<'static>> {
        if let Simulated::NotYet(memory) = &mut self.core {
            let setting = &self.machine.setting;
            let unavailable = |error: &dyn std::fmt::Display| Error::new(CL_DEVICE_NOT_AVAILABLE, error);
            let mut core = Core::new(&setting.core);
            core.connect_all();
            let netlist = warploom_sim::elaborate(&core).map_err(|error| unavailable(&error))?;
            let recorded = &self.machine.recorded;
            recorded.check(&netlist).map_err(|error| unavailable(&error))?;
            let observe = recorded.observe(&setting.core);
            let options = BuildOptions { observe, soon: true, ..BuildOptions::default() };
            let simulator = Simulator::build(&netlist, &options).map_err(|error| unavailable(&error))?;
            let mut device = RtlDevice::new(simulator, setting.core.clone(), setting.memory.clone());
            device.set_limits(Limits { cycles: setting.cycles, silence: setting.silence, ..Limits::default() });
            recorded.begin(&mut device).map_err(|error| unavailable(&error))?;
            std::mem::swap(device.memory(), memory);
            self.core = Simulated::Running(Box::new(device));
        }
        match &mut self.core {
            Simulated::Running(device) => Ok(device),
            Simulated::NotYet(_) => unreachable!("it has been built"),
        }
    }

    /// Runs a kernel to its end; the cycles at which it began and ended.
    pub fn launch(&mut self, work: &Work) -> Result<(u64, u64)> {
        let layout = Layout::new(&work.program, self.config());
        let floor = crate::object::locked(&self.allocator).floor();
        if u64::from(layout.end()) > floor {
            return Err(Error::new(
                CL_MEM_OBJECT_ALLOCATION_FAILURE,
                format!("{}: buffers leave no room in global memory for its data and arguments", work.kernel),
            ));
        }
        self.provide_floats(&work.program, &work.kernel)?;
        let is_loaded = self.loaded.as_ref().is_some_and(|loaded| Arc::ptr_eq(loaded, &work.program));
        let device = self.device()?;
        recorder::next_launch(&work.program);
        if !is_loaded {
            device.load(&work.program).map_err(|error| Error::new(CL_OUT_OF_RESOURCES, error))?;
            self.loaded = Some(work.program.clone());
        }
        let device = self.device()?;
        let arguments = layout.arguments();
        let block = layout.argument_block(device.config(), &work.arguments);
        device.write(arguments.address, &block);
        let launch = Launch {
            grid: work.grid,
            block: work.block,
            shared_bytes: work.shared_bytes,
            arguments: arguments.address,
        };
        let begin = device.cycle();
        let ended = device.launch(&launch);
        let end = device.cycle();
        let times = (self.elapsed + begin, self.elapsed + end);
        let device = self.device()?;
        let printed = CString::new(take_printed(device.memory(), &work.program).replace('\0', "")).unwrap_or_default();
        // In turn with what the application prints: C's own buffer.
        unsafe { libc::printf(c"%s".as_ptr(), printed.as_ptr()) };
        let stats = device.last().clone();
        self.tell(work, stats, &ended)?;
        match ended {
            Ok(_) => Ok(times),
            Err(error) => {
                let code = match error {
                    DeviceError::BadLaunch { .. } => CL_INVALID_WORK_GROUP_SIZE,
                    _ => CL_OUT_OF_RESOURCES,
                };
                Err(Error::new(code, format!("kernel `{}`: {error}", work.kernel)))
            }
        }
    }

    /// Adds a launch to the file of launches, if there is to be one.
    fn tell(
        &mut self,
        work: &Work,
        stats: LaunchStats,
        ended: &std::result::Result<LaunchStats, DeviceError>,
    ) -> Result<()> {
        let Some(path) = &self.machine.launches else { return Ok(()) };
        let failed =
            |error: std::io::Error| Error::new(CL_OUT_OF_RESOURCES, format!("{LAUNCHES}={}: {error}", path.display()));
        if self.launches.is_none() {
            self.launches = Some(OpenOptions::new().create(true).append(true).open(path).map_err(failed)?);
        }
        let launched = Launched {
            kernel: work.kernel.clone(),
            grid: work.grid,
            block: work.block,
            stats,
            stopped: ended.as_ref().err().map(ToString::to_string),
        };
        // At once: other processes of the application may add theirs.
        let line = serde_json::to_string(&launched).expect("names and numbers") + "\n";
        self.launches.as_mut().map_or(Ok(()), |file| file.write_all(line.as_bytes())).map_err(failed)
    }
}
