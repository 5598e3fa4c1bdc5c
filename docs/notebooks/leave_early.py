# %% [markdown]
# # Leave early: cascades and what they buy
#
# **Claim.** A row that is decided after two features need not pay for the other fifty. **Limit.**
# This saves on the *mean* row only: under a hard limit for every row it saves nothing.

# %% [markdown]
# ## A cascade by hand
#
# Rows pass stages. Each stage computes more features and is surer of its answer; a row leaves when
# the confidence reaches a threshold.

# %%
from solvers.datasets import make_scenes
from solvers.methods.tefe import TEFEClassifier

scenes = make_scenes()  # images of ten kinds, sixty features in groups that share work
learn, choose, report = slice(0, 500), slice(500, 750), slice(750, None)
centre, spread = scenes.X[learn].mean(axis=0), scenes.X[learn].std(axis=0)
X, y = (scenes.X - centre) / spread, scenes.y
cascade = TEFEClassifier(scenes.hypergraph, C=0.1, confidence="gap")
cascade.fit(X[learn], y[learn])
full = scenes.hypergraph.total_cost
print(f"{len(cascade.stage_costs_)} stages, {full:.0f} {scenes.unit} for all of them")

# %% [markdown]
# **Exercise 1.** With a threshold of 0, how much of the full cost is paid on average? And with a
# threshold that no row reaches?

# %%
shares = []
for threshold in (0.0, 1e9):
    cascade.set_params(threshold=threshold)
    shares.append(cascade.prediction_cost(X[report]).mean() / full)
    print(f"threshold {threshold:g}: {shares[-1]:.3f} of the full cost")
assert shares[0] < 0.1
assert abs(shares[1] - 1.0) < 1e-9

# %% [markdown]
# ## Every threshold at once
#
# One sort of the confidences gives cost and accuracy at every threshold. The question is not how
# good the cascade is, but whether it beats what is simpler: **the same first stages for every
# row**. Threshold and prefix are chosen on some rows and reported on others.

# %%
from solvers.papers.cascades import CascadeRows, compare_with_prefix

found = compare_with_prefix(
    CascadeRows.of(cascade, X[choose], y[choose]),
    CascadeRows.of(cascade, X[report], y[report]),
    [0.05, 0.1, 0.2, 0.4, 1.0],
)
for row in found:
    print(
        f"{row.share:4.0%}: cascade {row.cascade:.2f}, prefix {row.prefix:.2f}, "
        f"± {row.error:.2f}: {row.ahead}"
    )

# %% [markdown]
# **Exercise 2.** At which budget is leaving early worth most? Why must the advantage vanish with
# the full budget?

# %%
leads = {row.share: row.cascade - row.prefix for row in found}
print(max(leads, key=leads.get))
assert abs(leads[1.0]) < 0.03  # nobody has to leave early

# %% [markdown]
# ## Mean or worst row?
#
# The same points, once charged by the mean row and once by the costliest.

# %%
from solvers import Frontier, trace_frontier
from solvers.datasets import make_sources

data = make_sources(n_samples=1500)
points = list(trace_frontier("hypergraph_cascade", data))
forward = list(trace_frontier("forward_selection", data))
budget = 0.5 * data.hypergraph.total_cost
scores = {}
for accounting in ("mean", "max"):
    for name, found in (("cascade", points), ("forward", forward)):
        best = Frontier(found, accounting).best_within(budget)
        scores[accounting, name] = best.scores["test"]["f1"]
        print(f"{accounting:5}{name:8} F1 {scores[accounting, name]:.3f}")

# %% [markdown]
# **Exercise 3.** By how much does the cascade lead under each account? Which number belongs on a
# slide about a real-time system, where each answer has a deadline?

# %%
lead = {
    accounting: scores[accounting, "cascade"] - scores[accounting, "forward"]
    for accounting in ("mean", "max")
}
print({accounting: round(value, 3) for accounting, value in lead.items()})
assert lead["mean"] > lead["max"]

# %% [markdown]
# With a deadline for every answer it is the second one.
