//! Driving a port of a rust-hdl module that is known as `&dyn Atom` only.
use rust_hdl::core::direction::Direction;
use rust_hdl::prelude::{Atom, Bit, Clock, Signal, TypeKind};
use warploom_hdl::divergence::{GatherKind, StackOperation, SubWarpKind};
use warploom_hdl::execute::float::operation::*;
use warploom_hdl::execute::operation::*;
use warploom_hdl::interface::*;
use warploom_hdl::memory_system::dram::DramCommand;
use warploom_hdl::memory_system::l2::{L2ReplyKind, L2RequestKind};
use warploom_hdl::memory_system::network::PacketKind;
use warploom_hdl::net::Net;
use warploom_hdl::word::Word;

/// Puts a value on the port at an address.
///
/// # Safety
/// The address must be that of a live port of the type and direction that the driver was made for, and nothing may borrow it.
pub type Drive = unsafe fn(*mut (), u64);

/// rust-hdl shows ports as `&dyn Atom` only: the concrete type behind one of direction `D` follows from its description.
///
/// # Panics
/// If it is of an enumeration that is not listed here.
pub fn driver<D: Direction>(atom: &dyn Atom) -> Drive {
    /// # Safety
    /// See [`Drive`].
    unsafe fn net<D: Direction>(address: *mut (), value: u64) {
        let net = unsafe { &mut *address.cast::<Net<D>>() };
        net.next = Word::new(value, net.width());
    }
    /// # Safety
    /// See [`Drive`].
    unsafe fn bit<D: Direction>(address: *mut (), value: u64) {
        unsafe { (*address.cast::<Signal<D, Bit>>()).next = value == 1 };
    }
    /// # Safety
    /// See [`Drive`].
    unsafe fn clock<D: Direction>(address: *mut (), value: u64) {
        unsafe { (*address.cast::<Signal<D, Clock>>()).next = Clock { clk: value == 1 } };
    }
    macro_rules! enumerations {
        ($name:expr, $($enumeration:ident),+) => {
            $({
                /// # Safety
                /// See [`Drive`].
                unsafe fn enumeration<D: Direction>(address: *mut (), value: u64) {
                    let variant = $enumeration::VARIANTS[value as usize];
                    unsafe { (*address.cast::<Signal<D, $enumeration>>()).next = variant };
                }
                if $name == stringify!($enumeration) {
                    return enumeration::<D>;
                }
            })+
        };
    }
    let descriptor = atom.descriptor();
    match (descriptor.name.as_str(), descriptor.kind) {
        ("clock", _) => clock::<D>,
        ("Bit", _) => bit::<D>,
        (name, TypeKind::Enum(_)) => {
            enumerations!(
                name,
                Unit,
                ControlKind,
                MemoryOp,
                LookHazard,
                RequestKind,
                TrapCause,
                AluOp,
                OperandA,
                OperandB,
                ResultSource,
                ImmediateFormat,
                BranchCondition,
                CsrSource,
                GatherKind,
                StackOperation,
                FloatOperation,
                FloatRounding,
                FloatComparison,
                FloatResult,
                FloatCsr,
                SubWarpKind,
                PacketKind,
                DramCommand,
                L2RequestKind,
                L2ReplyKind
            );
            panic!("ports of the enumeration {name} cannot be driven by name yet: list it here")
        }
        (name, _) if name.starts_with("Word<") => net::<D>,
        (name, _) => panic!("a port of the type {name} cannot be driven by name"),
    }
}

/// The value of a port; rust-hdl gives it as a literal with private fields.
pub fn number(atom: &dyn Atom) -> u64 {
    let text = format!("{:x}", atom.verilog());
    text.split_once("'h")
        .and_then(|(_, digits)| u64::from_str_radix(digits, 16).ok())
        .expect("a port of 64 bits at most")
}

/// What a port is called: `lanes$3` is `lanes[3]`, and the field `warp` of the bundle `resolve$1` is `resolve_warp[1]`.
pub fn port_name(bundles: &[String], name: &str) -> String {
    let mut parts = name.split('$');
    let field = parts.next().unwrap_or_default().to_string();
    let bundle = bundles.first().map(|bundle| format!("{}_", bundle.split('$').next().unwrap_or_default()));
    let outer = bundles.iter().flat_map(|bundle| bundle.split('$').skip(1));
    outer.chain(parts).fold(bundle.unwrap_or_default() + &field, |name, index| format!("{name}[{index}]"))
}
