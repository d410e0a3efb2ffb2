//! `warploom cache`: what is kept between runs, and how much room it takes.
use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table, presets::NOTHING};
use warploom_sim::cache::{Cache, Contents, Kind, Share};

use crate::cli::CacheArgs;
use crate::output;
use crate::status::Status;

/// Lists it, or empties it and says what that gave.
pub fn cache(args: &CacheArgs) -> Result<Status> {
    let (directory, cache) = Cache::look()?;
    if args.clean {
        let removed = cache.map_or(Ok(Share::default()), |cache| cache.clean());
        let removed = removed.with_context(|| format!("cannot empty {}", directory.display()))?;
        let said = format!("removed {} from {}", megabytes(removed.bytes), directory.display());
        output::print(if args.json { serde_json::to_string_pretty(&removed)? } else { said })?;
        return Ok(Status::Pass);
    }
    let contents = match cache {
        Some(cache) => cache.contents().with_context(|| format!("cannot look through {}", directory.display()))?,
        None => Contents::none(directory),
    };
    output::print(if args.json { serde_json::to_string_pretty(&contents)? } else { table(&contents) })?;
    Ok(Status::Pass)
}

fn describe(kind: Kind) -> &'static str {
    match kind {
        Kind::Simulator => "compiled simulators",
        Kind::Profile => "profiles of runs",
        Kind::Verilator => "what Verilator has made",
        Kind::Results => "results of comparisons",
        Kind::Failed => "what could not be compiled",
        Kind::UnderWay => "being compiled",
        Kind::Other => "not of warploom",
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn table(contents: &Contents) -> String {
    let mut table = Table::new();
    table.load_preset(NOTHING);
    let all: u64 = contents.kinds.values().map(|share| share.bytes).sum();
    for (kind, Share { entries, bytes }) in contents.kinds.iter().filter(|(_, share)| share.entries > 0) {
        table.add_row([describe(*kind).to_string(), entries.to_string(), megabytes(*bytes)]);
    }
    table.add_row(["all of it".to_string(), String::new(), megabytes(all)]);
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    format!("{}\n{table}\n\n`warploom cache --clean` empties it", contents.directory.display())
}
