//! Scripts for a cluster: Slurm runs the shards, and merges when all have ended.
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::shard::{plan_path, share_plan};
use super::{CompareArgs, Plan};
use crate::output;
use crate::shell;

/// Writes the plan and the scripts into the directory of the shards; returns the one to start with.
pub fn emit(args: &CompareArgs, plan: &Plan) -> Result<PathBuf> {
    let absolute =
        |path: &Path| std::path::absolute(path).with_context(|| format!("cannot find out where {} is", path.display()));
    let directory = absolute(&args.into)?;
    // sbatch takes quotes in its own lines, but nothing that is special within them.
    let logs = directory.to_str().unwrap_or_default();
    ensure!(
        logs.chars().all(|c| !c.is_control() && !"%\"'\\$`".contains(c)),
        "--into {logs}: sbatch cannot write logs into a directory with such a name; name one without quotes, %, $ and backslashes"
    );
    share_plan(plan, &args.into)?;
    let program = std::env::current_exe().context("cannot find out where the program is")?;
    let (program, shards) = (quoted(&program)?, args.shards);
    // The plan has the paths of kernels and buffers as they were given here.
    let here = quoted(&std::env::current_dir().context("cannot find out which directory this is")?)?;
    let (plan, into) = (quoted(&plan_path(&directory))?, quoted(&directory)?);
    let outputs = [("--csv", &args.csv), ("--svg", &args.svg), ("--html", &args.html), ("--markdown", &args.markdown)];
    let outputs = outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)));
    let outputs = outputs.map(|(option, path)| Ok(format!(" {option} {}", quoted(&absolute(path)?)?)));
    let outputs = outputs.collect::<Result<String>>()?;

    let script = |name: &str, text: String| {
        let path = directory.join(name);
        ensure!(
            is_ours_or_none(&path),
            "{}: it is there, and not of `compare --emit`; name another --into",
            path.display()
        );
        output::save(&path, text)?;
        Ok::<_, anyhow::Error>(path)
    };
    let array = script(
        "shards.sbatch",
        format!(
            "#!/bin/sh
#SBATCH --job-name=warploom-shards
#SBATCH --array=1-{shards}
#SBATCH --output=\"{}/shard-%a.log\"
# One task runs one shard. The compiled simulators and the results so far are in $WARPLOOM_CACHE, or in the home directory.
cd {here}
exec {program} compare --plan {plan} --shard \"$SLURM_ARRAY_TASK_ID/{shards}\" --into {into} --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"
",
            directory.display()
        ),
    )?;
    let merge = script(
        "merge.sbatch",
        format!(
            "#!/bin/sh
#SBATCH --job-name=warploom-merge
#SBATCH --output=\"{}/merge.log\"
exec {program} compare --merge {into}{outputs}
",
            directory.display()
        ),
    )?;
    script(
        "submit.sh",
        format!(
            "#!/bin/sh
# Submits the shards, and the merging for when all of them have ended well. Options are for sbatch: --partition, --cpus-per-task...
set -eu
shards=$(sbatch --parsable \"$@\" {})
merge=$(sbatch --parsable --dependency=afterok:\"$shards\" --kill-on-invalid-dep=yes {})
echo \"shards: job $shards; merging: job $merge, its output in\" {}/merge.log
",
            quoted(&array)?,
            quoted(&merge)?,
            quoted(&directory)?
        ),
    )
}

/// Nothing is there, or a script of an earlier `--emit`.
fn is_ours_or_none(path: &Path) -> bool {
    let Ok(text) = std::fs::read(path) else { return true };
    let text = String::from_utf8_lossy(&text);
    text.starts_with("#!/bin/sh\n#SBATCH --job-name=warploom-") || text.starts_with("#!/bin/sh\n# Submits the shards")
}

/// For a shell.
fn quoted(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("{} is no name in UTF-8, as scripts need it", path.display()))?;
    Ok(shell::in_quotes(text))
}
