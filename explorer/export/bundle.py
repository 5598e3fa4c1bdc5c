"""Everything that a person takes away, in one archive that runs elsewhere."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import get_args

from solvers import Dataset, Frontier, FrontierPoint, ThriftscopeError, all_methods
from solvers.datasets import written_table
from solvers.errors import DeployError
from solvers.frontier.evaluation import Split
from solvers.values.rounding import fixed, rounded

from ..document.recipes import recipe_of
from ..widgets.text import cost_text, point_text, unit_text
from . import files as export
from .deployed import DeployForm, point_files, worth_notes, zipped
from .loading import HYPERGRAPH, TABLE

SCRIPT, ESTIMATOR = "thriftscope_view.py", "estimator.skops"
ANSWER = "answer.txt"
HALVES = (0.5, 0.25, 0.25)
REASONS = {
    "budget": "best on validation rows within the budget",
    "alpha": "solved at exactly λ",
    "picked": "picked by hand",
}
FILES = {
    "README.md": "this text",
    SCRIPT: "computes all again; prints the best in the budget, and what is chosen",
    HYPERGRAPH: "features, components and costs, as HIF JSON",
    TABLE: "the table, its features and labels",
    "frontier.csv": "every point: settings, costs, scores on validation and test rows",
    "selection.json": "the chosen point: features, components, cost, threshold, scores",
    ANSWER: "what the chosen point does, step by step, in plain words",
    ESTIMATOR: "the chosen point's fitted classifier, for skops; no pickle",
    "policy/policy.py": "the chosen model as one Python file; it says what it needs",
    "policy/policy.c": "the same as C99; you write the features that its header names",
    "policy/policy.h": "the header of that, and what the model costs and is worth",
    "policy/policy_example.c": "decides about rows of numbers with it",
    "policy/features.c": "sample features of a signal in C",
    "policy/features.h": "what they compute",
    "policy/README.md": "how the C is built, and what it takes",
    "policy/policy.html": "the same as a page that works from disk, test by test",
    "frontier.svg": "the score against cost, as on the page",
    "frontier.png": "the same as pixels",
    "frontier.pdf": "the same for print",
    "hypergraph.svg": "the hypergraph, lit where the chosen point computes it",
    "hypergraph.png": "the same as pixels",
    "hypergraph.pdf": "the same for print",
}


@dataclass(frozen=True, eq=False)
class BundledView:
    """What is on the frontier page."""

    dataset: Dataset  # What was learned
    frontiers: Mapping[str, Frontier]  # By name of the method
    axes: Frontier  # Whose points do not matter: what is charged, and which score
    budget: float  # In the unit of the costs
    chosen: FrontierPoint | None  # The lit point
    reason: str  # Why it was chosen: "budget", "alpha" or "picked"
    script: str  # That computes it again
    # On which the point was trained and judged; without it nothing runs elsewhere
    split: Split | None = None
    answer: str = ""  # What the chosen point does, in plain words
    # What the script begins with, where another price is charged or some are limited
    given: Dataset | None = None


def bundle(view: BundledView) -> bytes:
    """Return script, hypergraph, estimator, selection, frontier and figures as a zip.

    A person's own table lies in it as well, and README.md says what each file is.
    """
    files, missing = _files(view)
    files["README.md"] = _readme(view, list(files), missing)
    return zipped(files)


def _files(view: BundledView) -> tuple[dict[str, str | bytes], str]:
    """Return the files, and why the estimator is not among them."""
    data, chosen, missing = view.dataset, view.chosen, ""
    given = view.given or data
    everything = [point for frontier in view.frontiers.values() for point in frontier]
    files: dict[str, str | bytes] = {
        SCRIPT: view.script,
        HYPERGRAPH: export.hypergraph_hif(given),
        "frontier.csv": export.frontier_csv(view.axes.holding(everything)),
    }
    if recipe_of(given) is None:
        files[TABLE] = _table(given)
    files |= _figures(view, everything)
    if chosen is None:
        return files, "No point fits the budget, so none is chosen."
    worth = [] if view.split is None else worth_notes(chosen, view.split)
    files["selection.json"] = export.selection_json(chosen, data, worth)
    files |= _deployed(view)
    if view.answer:
        files[ANSWER] = view.answer
    try:
        files[ESTIMATOR] = export.estimator_skops(chosen, data)
    except ThriftscopeError as error:
        missing = str(error)
    return files, missing


def _deployed(view: BundledView) -> dict[str, str | bytes]:
    """Return the chosen model as what runs elsewhere, where it can be exported so."""
    files: dict[str, str | bytes] = {}
    if view.chosen is None or view.split is None:
        return files
    for form in get_args(DeployForm):
        with suppress(DeployError):
            for name, text in point_files(view.chosen, view.split, form).items():
                files[f"policy/{name}"] = text
    return files


def _figures(view: BundledView, points: list[FrontierPoint]) -> dict[str, bytes]:
    # Matplotlib and HoloViews take a second to import: only who draws waits for them.
    from .. import plots
    from ..figures.saving import printed

    data, chosen = view.dataset, view.chosen
    drawn = plots.frontier(
        view.axes.holding(points),
        unit=data.unit,
        full_cost=data.hypergraph.total_cost,
        budget=view.budget,
        chosen=chosen,
        title=f"{data.name}: what accuracy a budget buys",
    )
    files = printed(drawn, "frontier")
    if chosen is not None:
        computed = cost_text(data.hypergraph.cost(chosen.features), data.unit)
        title = all_methods()[chosen.method].title
        lit = plots.hypergraph(
            data.hypergraph,
            chosen.features,
            title=f"{data.name}: what {title} computes, {computed}",
        )
        files |= printed(lit, "hypergraph")
    return files


def _table(data: Dataset) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    written = io.BytesIO()
    parquet.write_table(pa.table(written_table(data).columns), written)
    return written.getvalue()


# ------------------------------------------------------------------------------ README


def _readme(view: BundledView, names: list[str], missing: str) -> str:
    data = view.dataset
    listed = [f"- `{name}`: {FILES[name]}" for name in FILES if name in names]
    parts = [
        f"# {data.name}: a view of Thriftscope",
        f"{data.n_samples} rows, {data.n_features} features, "
        f"{data.hypergraph.n_components} components; everything together costs "
        f"{cost_text(data.hypergraph.total_cost, data.unit)}. {data.source} "
        f"{data.costs_note}".rstrip(),
        "## Files",
        "\n".join(listed),
        *([missing] if missing else []),
        "## The chosen point",
        _point(view),
        "## How to run",
        _how_to_run(ESTIMATOR in names),
        *_caveats(data),
        "## Versions",
        "\n".join(f"- {name} {found}" for name, found in export.versions().items()),
    ]
    return "\n\n".join(parts) + "\n"


def _point(view: BundledView) -> str:
    chosen, data = view.chosen, view.dataset
    if chosen is None:
        return f"None: nothing is bought by {cost_text(view.budget, data.unit)}."
    unit = unit_text(data.unit)
    lines = [
        f"{point_text(chosen, data, view.axes)} ({REASONS[view.reason]}).",
        f"| rows | F1 | cost, mean ({unit}) | cost, 95th percentile ({unit}) | "
        f"cost, worst row ({unit}) |\n|---|---|---|---|---|\n"
        + "\n".join(_row(chosen, split) for split in ("validation", "test")),
        "Points are chosen on validation rows; what to expect is the score on test "
        "rows.",
    ]
    return "\n\n".join(lines)


def _row(point: FrontierPoint, split: str) -> str:
    costs = [point.charged(account, split) for account in ("mean", "p95", "max")]
    told = " | ".join(f"{rounded(cost, 4):g}" for cost in costs)
    return f"| {split} | {fixed(point.scores[split]['f1'], 3)} | {told} |"


def _how_to_run(has_estimator: bool) -> str:
    text = (
        "With Thriftscope installed, in this folder:\n\n"
        f"```\npython {SCRIPT}\n```"
    )  # fmt: skip
    if not has_estimator:
        return text
    return (
        f"{text}\n\nThe estimator predicts the labels for rows of all features, in the "
        "order of the hypergraph:\n\n```python\nfrom pathlib import Path\n\n"
        "from explorer.export import load_estimator\n\n"
        f'model = load_estimator(Path("{ESTIMATOR}").read_bytes())\n```'
    )


def _caveats(data: Dataset) -> list[str]:
    if tuple(data.fractions) == HALVES:
        return []
    shares = ", ".join(f"{share:g}" for share in data.fractions)
    return [
        f"Rows were split into training, validation and test by {shares}. Where the "
        "script reads a table, it splits by 0.5, 0.25, 0.25."
    ]
