"""``thriftscope adopt``: the bill of a model that one has, and who does it for less."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, get_args

from tqdm import tqdm

from solvers import FrontierPoint, adopt, evaluate, split_dataset
from solvers.adopted import AdoptedClassifier
from solvers.costs.interchange import read_bytes, write_text
from solvers.errors import DataError
from solvers.frontier import cheapest_as_good
from solvers.frontier.evaluation import Split, rows_for
from solvers.values.rounding import fixed, number

from ..export import load_estimator
from ..export.deployed import DeployForm, deployed_files
from ..widgets.text import unit_text
from .data_options import add_data_options, chosen_dataset
from .named import comma_names, number_option
from .run import named_methods, traced

_METHODS = "l1,forward_selection,csdt"
_FORMS = get_args(DeployForm)


def add_adopt(commands: Any) -> None:
    """Add the command to a parser."""
    adopted = commands.add_parser(
        "adopt",
        help="what a model that you have costs a row, and what does it for less",
    )
    adopted.add_argument(
        "model", type=Path, help="LightGBM's text, XGBoost's JSON, or a .skops file"
    )
    add_data_options(adopted, "rows that the model has not seen")
    adopted.add_argument(
        "--classes", help="labels in the order of the model's codes, with commas"
    )
    adopted.add_argument(
        "--feature-names", help="of the model's columns, in its order, with commas"
    )
    adopted.add_argument(
        "--order",
        choices=("given", "cheapest"),
        default="cheapest",
        help="in which its trees are asked",
    )
    adopted.add_argument(
        "--methods",
        default=_METHODS,
        help="that may do it for less, with commas; nothing: none",
    )
    adopted.add_argument(
        "--most",
        type=number_option,
        default=0.01,
        help="what these may lose of its accuracy, such as 0.01",
    )
    adopted.add_argument("--confidence", type=number_option, default=0.95)
    adopted.add_argument("--seed", type=int, default=0)
    adopted.add_argument(
        "--trusted", default="", help="types that a .skops file may hold, with commas"
    )
    adopted.add_argument("--format", choices=_FORMS, help="to write it in, with --out")
    adopted.add_argument("--out", type=Path, help="folder for that")
    adopted.set_defaults(run=_adopt)


def _adopt(options: argparse.Namespace) -> None:
    if (options.format is None) != (options.out is None):
        raise DataError("--format and --out say together what is written; give both.")
    dataset = chosen_dataset(options)
    split = split_dataset(dataset, options.seed)
    told = {
        "feature_names": _names(options.feature_names),
        "classes": _classes(options, split),
    }
    model, prices = _model(options), dataset.hypergraph
    adopted = adopt(model, prices, order=options.order, **told)
    reference = evaluate(adopted, split, name=options.model.name, threshold="default")
    sys.stdout.writelines(f"{line}\n" for line in _bill(adopted, reference, split))
    if options.out is not None:
        notes = [f"Adopted from {options.model.name}."]
        files = deployed_files(adopted, options.format, notes, options.model.stem)
        options.out.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            write_text(text, options.out / file)
        sys.stdout.write(f"Written to {options.out}: {', '.join(files)}\n")
    if options.methods:
        sys.stdout.write(f"{_for_less(options, reference, split)}\n")


def _model(options: argparse.Namespace) -> Any:
    """Return what `adopt` reads: the content of a file, or the estimator of a skops."""
    content = read_bytes(options.model, 2**30)
    if options.model.suffix != ".skops":
        return content
    return load_estimator(content, trusted=comma_names(options.trusted))


def _names(text: str | None) -> list[str] | None:
    return None if text is None else comma_names(text)


def _classes(options: argparse.Namespace, split: Split) -> list[Any] | None:
    """Return the labels of the table in the order that was told, as the table has them.

    Of a file that knows none they are those of the table, rising, as trainers do it.
    """
    known = sorted(split.dataset.classes.tolist())
    if options.classes is None:
        return None if options.model.suffix == ".skops" else known
    by_text = {str(label): label for label in known}
    told = comma_names(options.classes)
    return [by_text.get(text, text) for text in told]


def _bill(adopted: AdoptedClassifier, point: FrontierPoint, split: Split) -> list[str]:
    """Return what the model costs and is worth, a line each."""
    hypergraph = split.dataset.hypergraph
    unit, cost = unit_text(hypergraph.unit), point.cost
    looked_at = adopted.acquirable_features()[0]
    n_looked = int(looked_at.sum())
    lines = [
        f"{point.method}: {len(adopted.classes_)} classes, looks at {n_looked} of "
        f"{hypergraph.n_features} features, which cost "
        f"{number(hypergraph.cost(looked_at))} {unit} together.",
        f"Asked for as a row needs them they cost {number(cost['mean'])} {unit} in the "
        f"mean, {number(cost['p95'])} for 95 of 100 rows, {number(cost['max'])} at "
        f"most (test rows: {len(split.y('test')):,}).",
        f"Accuracy on test rows: {fixed(point.scores['test']['accuracy'], 3)}.",
    ]
    rows = rows_for(adopted, split, "test")
    bought = adopted.acquired_features(rows).mean(axis=0)
    asked = [j for j in (-bought).argsort() if bought[j] > 0][:10]
    lines += [
        f"  {hypergraph.features[j]}: {bought[j]:.0%} of rows, "
        f"{number(hypergraph.cost([hypergraph.features[j]]))} {unit}"
        for j in asked
    ]
    return lines


def _for_less(
    options: argparse.Namespace, reference: FrontierPoint, split: Split
) -> str:
    """Return who does it for less, or that nobody is known to."""
    options.accounting, options.threshold = "mean", "default"
    with tqdm(unit=" points", file=sys.stderr, leave=False) as bar:
        points = list(traced(options, named_methods(options), split, bar))
    allowed = {"most": options.most, "confidence": options.confidence}
    found = cheapest_as_good(points, reference, split, **allowed)
    if found is not None:
        return found.sentence
    return (
        f"None of {len(points)} cheaper or dearer models is known to lose at most "
        f"{100.0 * options.most:g} points of accuracy with confidence "
        f"{options.confidence:g}: allow more by --most, or give more rows."
    )
