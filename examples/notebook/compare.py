# %% [markdown]
# # Kernels under several mechanisms, with pandas and matplotlib
#
# The cells run in VS Code, Spyder or Jupyter (with jupytext), or all at once:
#
#     warploom compare bfs gcd mandelbrot --mechanisms spe,tbc,capri --json >runs.json
#     python3 compare.py runs.json
#
# The list has one object for each kernel under each mechanism; its fields: `warploom schema run` and docs/reference/metrics.md.

# %%
import json
import sys
from pathlib import Path

path = Path(sys.argv[1] if len(sys.argv) > 1 else "runs.json")
runs = json.loads(path.read_text())
if any(run["schema_version"] != 1 for run in runs):
    sys.exit(f"{path} has another version of the schema than this script knows; see CHANGELOG.md")
wrong = [f"{run['kernel']} under {run['mechanism']}" for run in runs if run["result"] != "pass"]
if wrong:
    sys.exit(f"{path}: no result to compare of {', '.join(wrong)}")

# %%
try:
    import matplotlib
    import pandas
except ModuleNotFoundError as missing:
    print(f"no {missing.name}: only a table (apt install python3-pandas python3-matplotlib, or pip install pandas matplotlib)")
    print(f"{'kernel':<20}{'mechanism':<12}{'cycles':>10}{'IPC':>8}{'SIMD utilisation':>18}{'idle, memory':>14}")
    for run in runs:
        print(
            f"{run['kernel']:<20}{run['mechanism']:<12}{run['cycles']:>10}{run['ipc']:>8.3f}"
            f"{run['simd_utilization']:>18.1%}{run['issue_slots']['idle_memory'] / run['cycles']:>14.1%}"
        )
    sys.exit()

if len(sys.argv) > 1:
    matplotlib.use("Agg")  # as a script: into files, no window
import matplotlib.pyplot as plt

# %% [markdown]
# ## One row per run
# Nested fields get names with dots: `issue_slots.idle_memory`, `l1.misses`.

# %%
table = pandas.json_normalize(runs)
mechanisms = list(table["mechanism"].unique())  # in the order of the comparison
cycles = table.pivot(index="kernel", columns="mechanism", values="cycles")[mechanisms]
print(cycles)

# %% [markdown]
# ## Speed, over the first mechanism

# %%
speed = cycles.rdiv(cycles[mechanisms[0]], axis=0)
print(speed.round(3))
axes = speed.plot.bar(rot=0, ylabel=f"speed over {mechanisms[0]}", xlabel="", ylim=(0, 1.2 * speed.max().max()))
axes.axhline(1, color="black", linewidth=0.8)
axes.legend(loc="upper right", ncols=len(mechanisms))
plt.tight_layout()
plt.savefig(path.with_name("speed.png"), dpi=150)

# %% [markdown]
# ## Where the issue slots went
# How many lanes those that issued had: `issue_slots.issued.W1` and those behind it.

# %%
parts = ["stall", "compaction", "idle_memory", "barrier", "idle_other"]
slots = table.set_index(["kernel", "mechanism"])[["warp_instructions", *(f"issue_slots.{part}" for part in parts)]]
slots.columns = ["issued", *parts]
slots = slots.div(slots.sum(axis=1), axis=0)
print(slots.round(3))
axes = slots.plot.barh(stacked=True, xlabel="share of the issue slots", ylabel="", xlim=(0, 1))
axes.invert_yaxis()
axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1), ncols=3)
plt.tight_layout()
plt.savefig(path.with_name("issue_slots.png"), dpi=150)
print(f"{path.with_name('speed.png')}, and issue_slots.png beside it")
