"""Everything that a person takes away, in one archive that runs elsewhere."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from solvers import Dataset, Frontier, FrontierPoint, ThriftscopeError, all_methods
from solvers.frontier import Accounting

from ..widgets.text import cost_text, point_text, unit_text
from . import files as export
from .view_script import ViewDescription, script

__all__ = ["HYPERGRAPH", "TABLE", "BundledView", "bundle", "label_column"]

HYPERGRAPH, TABLE = "hypergraph.json", "table.parquet"
SCRIPT, ESTIMATOR = "thriftscope_view.py", "estimator.skops"
# No date of today: what is in the archive tells of the view alone.
WRITTEN_ON = (2000, 1, 1, 0, 0, 0)
HALVES = (0.5, 0.25, 0.25)
REASONS = {
    "budget": "best on validation rows within the budget",
    "alpha": "solved at exactly λ",
    "picked": "picked by hand; the script prints the best within the budget instead",
}
FILES = {
    "README.md": "this text",
    SCRIPT: "computes the frontier again and prints the best point within the budget",
    HYPERGRAPH: "features, components and costs, as HIF JSON",
    TABLE: "the table, its features and labels",
    "frontier.csv": "every point: settings, costs, scores on validation and test rows",
    "selection.json": "the chosen point: features, components, cost, threshold, scores",
    ESTIMATOR: "the chosen point's fitted classifier, for skops; no pickle",
    "frontier.svg": "F1 against cost, as on the page",
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
    accounting: Accounting  # Which cost over rows counts
    budget: float  # In the unit of the costs
    chosen: FrontierPoint | None  # The lit point
    reason: str  # Why it was chosen: "budget", "alpha" or "picked"
    description: ViewDescription  # Of the script


def bundle(view: BundledView) -> bytes:
    """Return script, hypergraph, estimator, selection, frontier and figures as a zip.

    A person's own table lies in it as well, and README.md says what each file is.
    """
    files, missing = _files(view)
    files["README.md"] = _readme(view, list(files), missing)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, WRITTEN_ON), content)
    return written.getvalue()


def label_column(dataset: Dataset) -> str:
    """Return a name for the labels that no feature has."""
    name = "label"
    while name in dataset.feature_names:
        name += "_"
    return name


def _files(view: BundledView) -> tuple[dict[str, str | bytes], str]:
    """Return the files, and why the estimator is not among them."""
    data, chosen, missing = view.dataset, view.chosen, ""
    everything = [point for frontier in view.frontiers.values() for point in frontier]
    files: dict[str, str | bytes] = {
        SCRIPT: script(view.description),
        HYPERGRAPH: export.hypergraph_hif(data),
        "frontier.csv": export.frontier_csv(Frontier(everything, view.accounting)),
    }
    if view.description.table_file is not None:
        files[TABLE] = _table(data)
    files |= _figures(view, everything)
    if chosen is None:
        return files, "No point fits the budget, so none is chosen."
    files["selection.json"] = export.selection_json(chosen, data)
    try:
        files[ESTIMATOR] = export.estimator_skops(chosen, data)
    except ThriftscopeError as error:
        missing = str(error)
    return files, missing


def _figures(view: BundledView, points: list[FrontierPoint]) -> dict[str, bytes]:
    # Matplotlib and HoloViews take a second to import: only who draws waits for them.
    from .. import plots
    from ..plots.saving import pictures

    data, chosen = view.dataset, view.chosen
    drawn = {
        "frontier": plots.frontier(
            points,
            accounting=view.accounting,
            unit=data.unit,
            full_cost=data.hypergraph.total_cost,
            budget=view.budget,
            chosen=chosen,
            title=f"{data.name}: what accuracy a budget buys",
        )
    }
    if chosen is not None:
        computed = cost_text(data.hypergraph.cost(chosen.features), data.unit)
        drawn["hypergraph"] = plots.hypergraph(
            data.hypergraph,
            chosen.features,
            title=f"{data.name}: what {all_methods()[chosen.method].title} computes, "
            f"{computed}",
        )
    files = {}
    for name, figure in drawn.items():
        written = pictures(figure, "svg", "png", "pdf")
        for form, content in zip(("svg", "png", "pdf"), written, strict=True):
            files[f"{name}.{form}"] = content
    return files


def _table(data: Dataset) -> bytes:
    table = pd.DataFrame(data.X, columns=list(data.feature_names))
    table[label_column(data)] = data.y
    written = io.BytesIO()
    table.to_parquet(written, index=False)
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
        f"{point_text(chosen, data, view.accounting)} ({REASONS[view.reason]}).",
        f"| rows | F1 | cost, mean ({unit}) | cost, 95th percentile ({unit}) | "
        f"cost, worst row ({unit}) |\n|---|---|---|---|---|\n"
        + "\n".join(_row(chosen, split) for split in ("validation", "test")),
        "Points are chosen on validation rows; what to expect is the score on test "
        "rows.",
    ]
    return "\n\n".join(lines)


def _row(point: FrontierPoint, split: str) -> str:
    costs = [point.charged(account, split) for account in ("mean", "p95", "max")]
    told = " | ".join(f"{cost:.4g}" for cost in costs)
    return f"| {split} | {point.scores[split]['f1']:.3f} | {told} |"


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
