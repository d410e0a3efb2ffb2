//! Where the core has a module.
use anyhow::{Result, bail};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::mechanism::{ADDITIONS, About, Composition, MECHANISMS};
use warploom_sim::flatten::top_scope;
use warploom_sim::netlist::{ModuleId, Netlist};

use crate::elaborate::{elaborate, elaborate_core, module};
use crate::mechanism;
use crate::suggest::nearest_of_many;

/// An instance of a module in the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its scope in a waveform: `core.divergence.capt[0]`.
    pub path: String,
    /// Its type.
    pub module: ModuleId,
}

/// The instance of a module of the catalog at `path`, or the first one, and how many there are.
pub fn find(core: &Netlist, name: &str, path: Option<&str>, config: &CoreConfig) -> Result<(Instance, usize)> {
    let all = instances(core, &source(name, config)?);
    let count = all.len();
    let Some(path) = path else {
        return match all.into_iter().next() {
            Some(first) => Ok((first, count)),
            None => absent(name, config),
        };
    };
    match all.iter().find(|instance| instance.path == path) {
        Some(instance) => Ok((instance.clone(), count)),
        None if count == 0 => absent(name, config),
        None => {
            let near = nearest_of_many(path, all.iter().map(|instance| instance.path.as_str()));
            bail!("--instance {path}: there is no {name}; the core has {count}{near}")
        }
    }
}

/// The Rust type behind a name of the catalog.
fn source(name: &str, config: &CoreConfig) -> Result<String> {
    let design = elaborate(name, (module(name)?.build)(config))?;
    Ok(design.top().source.clone())
}

/// All instances of a type in the order of the source, those of outer modules first.
fn instances(core: &Netlist, source: &str) -> Vec<Instance> {
    let mut found = vec![];
    let mut pending = vec![Instance { path: top_scope(core), module: core.top }];
    while let Some(instance) = pending.pop() {
        let module = core.module(instance.module);
        let child = |(name, module)| Instance { path: format!("{}.{name}", instance.path), module };
        pending.extend(module.instances.iter().rev().map(|inner| child((&inner.name, inner.module))));
        if module.source == source {
            found.push(instance);
        }
    }
    found
}

/// Every mechanism, and then each with every addition: between them, whatever a core can have.
fn mechanisms() -> impl Iterator<Item = Composition> {
    let with = |addition: &About| {
        let names = MECHANISMS.map(|entry| format!("{}+{}", entry.name(), addition.name));
        names.into_iter().filter_map(|name| name.parse().ok())
    };
    let legal = |composition: &Composition| CoreConfig::tiny().with(*composition).check().is_ok();
    MECHANISMS.map(|entry| entry.default.into()).into_iter().chain(ADDITIONS.iter().flat_map(with)).filter(legal)
}

/// Says which mechanism has the module.
fn absent<T>(name: &str, config: &CoreConfig) -> Result<T> {
    let asked = mechanism::name(config);
    for mechanism in mechanisms() {
        // The smallest core tells as much as any.
        let config = CoreConfig::tiny().with(mechanism);
        if !instances(&elaborate_core(&config)?, &source(name, &config)?).is_empty() {
            bail!("the core has no {name} under {asked}\n  it has one with --mechanism {mechanism}");
        }
    }
    bail!(
        "no core has a {name}: it is inside of another module, or is no module of its own there\n  without --kernel and --activity, `warploom synth {name}` gives its area"
    )
}

#[cfg(test)]
mod tests {
    use warploom_sim::Interpreter;

    use super::*;

    fn paths(config: &CoreConfig, source: &str) -> Vec<String> {
        let core = elaborate_core(config).unwrap();
        instances(&core, source).into_iter().map(|instance| instance.path).collect()
    }

    #[test]
    fn instances_have_the_scopes_of_the_waveform() {
        let config = CoreConfig::tiny();
        assert_eq!(paths(&config, "Core"), ["core"]);
        assert_eq!(paths(&config, "SpeStack"), ["core.divergence.per_warp[0]"]);
        assert_eq!(paths(&config, "Capt"), [""; 0]);
        let lanes: Vec<String> = (0..config.lanes).map(|lane| format!("core.execute.lanes[{lane}]")).collect();
        assert_eq!(paths(&config, "Lane"), lanes);
    }

    #[test]
    fn an_instance_is_a_design() {
        let config = CoreConfig::tiny();
        let core = elaborate_core(&config).unwrap();
        let (unit, count) = find(&core, "reconvergence_unit", None, &config).unwrap();
        let design = core.design_of(unit.module);
        assert_eq!((count, design.top().source.as_str()), (1, "ReconvergenceUnit"));
        assert!(design.modules.len() < core.modules.len());
        let alone = elaborate("reconvergence_unit", (module("reconvergence_unit").unwrap().build)(&config)).unwrap();
        assert_eq!(design.instance_counts(), alone.instance_counts());
        let mut running = Interpreter::new(&design);
        running.set("reset", 1);
        running.step();
        assert_eq!(running.get("finished_valid"), 0);
    }

    #[test]
    fn what_is_not_there_is_somewhere_else() {
        let config = CoreConfig::tiny();
        let core = elaborate_core(&config).unwrap();
        let message = |name: &str, path| find(&core, name, path, &config).unwrap_err().to_string();
        assert_eq!(message("capt", None), "the core has no capt under spe\n  it has one with --mechanism capri");
        assert!(message("fifo", None).starts_with("no core has a fifo"));
        let text = message("spe_stack", Some("core.divergence"));
        assert!(text.contains("the core has 1\n  did you mean core.divergence.per_warp[0]?"), "{text}");
    }
}
