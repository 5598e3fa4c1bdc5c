# %% [markdown]
# # One frontier for everybody: compare, choose a budget, take it away
#
# **Claim.** Methods that were never compared can be, if one function splits the rows, tunes the
# threshold and charges. **Limit.** It compares what *this* table can tell; differences within
# noise are no differences.

# %%
from solvers import Frontier, all_datasets, free_scores, split_dataset, trace_frontier

data = all_datasets()["breast_cancer"]()
print(data.n_samples, "rows,", data.n_features, "features,", data.costs_note)

# %% [markdown]
# ## Compare

# %%
names = ("acafh", "forward_selection", "l1", "csnb", "jit")
points = []
for name in names:
    points += trace_frontier(name, data)
# Calling every row positive costs nothing: what is below the first point of a method
# counts as much as that, for everybody.
frontier = Frontier(points, floor=free_scores(split_dataset(data)))
full = data.hypergraph.total_cost
for name in names:
    volume = frontier.of(name).hypervolume(full)
    print(f"{name:18} {volume:.3f} of the cost-score rectangle")

# %% [markdown]
# **Exercise 1.** A tenth of the full cost: who is best? First on validation rows, where one may
# choose, then on test rows, where one may only report.

# %%
best = frontier.best_within(0.1 * full)
for rows in ("validation", "test"):
    print(f"{rows}: {best.method}, F1 {best.scores[rows]['f1']:.3f}")
assert best.charged("mean", "validation") <= 0.1 * full

# %% [markdown]
# ## Is it noise?
#
# Three splits, compared run by run.

# %%
from solvers.frontier.bands import compare_bands, frontier_band
from solvers.frontier.sweep import sweep, sweep_frontiers

pair = ("forward_selection", "l1")
runs = sweep_frontiers(sweep(list(pair), [data], seeds=[0, 1, 2], n_workers=1))
budgets = [0.05 * full, 0.1 * full, 0.5 * full]
bands = [frontier_band(runs[data.name, name], budgets) for name in pair]
difference = compare_bands(*bands, overlap=0.5)
for budget in budgets:
    print(difference.sentence(budget, "Forward selection", "L1", data.unit))

# %% [markdown]
# **Exercise 2.** At which of the three budgets may you say "forward selection beats L1"?

# %%
print(difference.within_noise)
assert difference.n_runs == 3

# %% [markdown]
# ## Take it away
#
# The chosen model as a file that loads without a pickle, and its selection as JSON.

# %%
import json

from explorer.export import estimator_skops, load_estimator, selection_json

saved = estimator_skops(best, data)
selection = json.loads(selection_json(best, data))
model = load_estimator(saved)
print(len(saved), "bytes; features:", ", ".join(selection["features"]))

# %% [markdown]
# **Exercise 3.** Does the loaded model answer from the selected features alone? Disturb all others
# and see.

# %%
import numpy as np

rows = data.X[:50]
disturbed = np.where(best.features, rows, 1e3)
same = (model.predict(rows) == model.predict(disturbed)).all()
print("same answers:", bool(same))
assert same
