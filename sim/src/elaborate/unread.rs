//! Inputs that a bundle brings and nobody reads: they get no port, so a block may take a bundle for the sake of a part.
use crate::netlist::{Module, NetId, Op};

/// Takes those of the inputs `bundled` out of `module` that nothing in it reads.
pub(super) fn remove(module: &mut Module, bundled: &[NetId]) {
    let mut unread = vec![false; module.nets.len()];
    bundled.iter().for_each(|net| unread[net.0 as usize] = true);
    for expr in &module.exprs {
        if let Op::Net(net) = expr.op {
            unread[net.0 as usize] = false;
        }
    }
    if !unread.contains(&true) {
        return;
    }
    let numbers: Vec<NetId> = unread
        .iter()
        .scan(0, |next, &unread| {
            let number = NetId(*next);
            *next += u32::from(!unread);
            Some(number)
        })
        .collect();
    module.ports.retain(|net| !unread[net.0 as usize]);
    let mut kept = unread.iter().map(|unread| !unread);
    module.nets.retain(|_| kept.next().expect("one for every net"));
    for_each_net(module, |net| *net = numbers[net.0 as usize]);
}

/// Every place in a module that names a net by its number.
fn for_each_net(module: &mut Module, visit: impl Fn(&mut NetId)) {
    module.ports.iter_mut().for_each(&visit);
    for expr in &mut module.exprs {
        if let Op::Net(net) = &mut expr.op {
            visit(net);
        }
    }
    module.instances.iter_mut().flat_map(|instance| &mut instance.ports).for_each(&visit);
    for register in &mut module.registers {
        visit(&mut register.clock);
        visit(&mut register.q);
    }
    for memory in &mut module.memories {
        visit(&mut memory.clock);
        memory.reads.iter_mut().for_each(|read| visit(&mut read.data));
    }
}
