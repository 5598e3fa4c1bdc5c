"""``thriftscope run``: frontiers without the app, as files and as a table."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, get_args

from tqdm import tqdm

from solvers import (
    Dataset,
    Frontier,
    FrontierPoint,
    all_methods,
    free_scores,
    split_dataset,
)
from solvers.costs.interchange import write_text, write_whole
from solvers.decisions.mistakes import MistakeCosts
from solvers.decisions.scores import NEGATED, TOTAL_COST, scores_of_classes
from solvers.errors import DataError, shown
from solvers.frontier import trivial_answers, where_testing_stops
from solvers.frontier.evaluation import Split, iter_frontier
from solvers.frontier.frontier import Charge
from solvers.frontier.total_cost import mistakes_among
from solvers.methods import add_method, unavailable_methods
from solvers.values.rounding import fixed, number

from ..export import files as export
from ..export.deployed import worth_notes
from ..figures.frontier import by_method
from ..widgets.text import (
    SCORES,
    deciding_text,
    first_buy_text,
    free_text,
    held_text,
    is_held_at_most,
    list_text,
    point_text,
    score_number,
    share_text,
    unit_text,
)
from .data_options import (
    add_data_options,
    chosen_dataset,
    positive_text,
    table_text,
)
from .mistake_options import add_mistake_options, chosen_mistakes
from .named import comma_names, import_from_here, number_option
from .sweep import PointFile, add_sweep_options, is_sweep, run_sweep

_PARTS = ("validation", "test")
DEFAULT_METHODS = "acafh,forward_selection,reweighted_l1,l1"


def add_run(commands: Any) -> None:
    """Add the command to the subparsers of ``thriftscope``."""
    run = commands.add_parser("run", help="trace frontiers without the app")
    add_data_options(run)
    run.add_argument(
        "--methods",
        default=DEFAULT_METHODS,
        help="names, or module:Class for your own, with commas",
    )
    run.add_argument(
        "--budget", type=number_option, default=math.inf, help="in the costs' unit"
    )
    run.add_argument("--accounting", choices=["mean", "p95", "max"], default="mean")
    run.add_argument(
        "--score",
        choices=list(SCORES),
        help="what is best within the budget, on validation rows: f1 by default, "
        f"{TOTAL_COST} where mistakes have prices",
    )
    run.add_argument(
        "--charge",
        choices=get_args(Charge),
        default="features",
        help="features alone, or the measured time of deciding too: about one row "
        "that comes alone, or a row of many",
    )
    run.add_argument(
        "--confidence",
        type=number_option,
        default=0.0,
        help="of as many other rows staying within the budget, such as 0.95; 0 holds "
        "the cost of the validation rows themselves against it",
    )
    run.add_argument("--threshold", choices=["tuned", "default"], default="tuned")
    add_mistake_options(run)
    run.add_argument("--seed", type=int, default=0)
    run.add_argument("--out", type=Path, required=True, help="folder for the results")
    add_sweep_options(run)
    run.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    names = named_methods(options)
    if is_sweep(options) or "," in (options.data or ""):
        _refuse_axes(options)
        data = comma_names(options.data) if options.data else [chosen_dataset(options)]
        options.out.mkdir(parents=True, exist_ok=True)
        run_sweep(options, names, data)
        return
    dataset = chosen_dataset(options)
    mistakes = chosen_mistakes(options, dataset)
    axes = _axes(options, dataset, mistakes)
    split = split_dataset(dataset, options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    points = []
    # A count of points that is left says nothing more.
    told = tqdm(unit=" points", file=sys.stderr, leave=False)
    with PointFile(options.out / "frontier.csv", names) as file, told:
        for point in traced(options, names, split, told, mistakes):
            file.write(point.row())
            points.append(point)
    if not points:
        raise DataError(
            f"None of the methods takes the data: {', '.join(names)}; choose others."
        )
    _write(options, split, axes.holding(points), mistakes)


def _axes(
    options: argparse.Namespace, dataset: Dataset, mistakes: MistakeCosts | None
) -> Frontier:
    """Return the frontier that has no points yet."""
    score = options.score or ("f1" if mistakes is None else TOTAL_COST)
    n_classes = len(dataset.classes)
    known = [name for name in SCORES if name in scores_of_classes(n_classes)]
    if mistakes is not None:
        known.append(TOTAL_COST)
    elif score == TOTAL_COST:
        raise DataError(
            "What mistakes cost is not known; give --miss and --false-alarm, or "
            "--mistakes with a table of them."
        )
    if score not in known:
        raise DataError(
            f"There are {n_classes} classes, and {score} is no score of so "
            f"many; choose from {', '.join(known)}."
        )
    return Frontier(
        (),
        options.accounting,
        score,
        charge=options.charge,
        unit=dataset.unit,
        confidence=options.confidence,
    )


def _refuse_axes(options: argparse.Namespace) -> None:
    given = (options.score, options.charge, options.confidence)
    priced = (options.miss, options.false_alarm, options.mistakes)
    if given not in ((None, "features", 0.0), ("f1", "features", 0.0)) or any(
        one is not None for one in priced
    ):
        raise DataError(
            "A sweep compares F1 at the cost of features; leave out --score, --charge, "
            "--confidence and what mistakes cost."
        )


def named_methods(options: argparse.Namespace) -> list[str]:
    """Return the methods that are named, each once; refuse what there is not."""
    names = comma_names(options.methods)
    for name in names:
        if ":" in name and name not in all_methods():
            import_from_here()
            add_method(name)
        if name in unavailable_methods():
            raise DataError(unavailable_methods()[name])
    unknown = [name for name in names if name not in all_methods()]
    if unknown or not names:
        raise DataError(
            f"There is no method {shown((unknown or [''])[0])}; choose from "
            f"{', '.join(all_methods())}, or name your own by module:Class."
        )
    return list(dict.fromkeys(names))


def traced(
    options: argparse.Namespace,
    names: Sequence[str],
    split: Split,
    told: Any,
    mistakes: MistakeCosts | None = None,
) -> Iterator[FrontierPoint]:
    """Yield the points of each method; say which one cannot take the data.

    `told`: the bar that says how far it is; `mistakes`: what they cost, if anything.
    """
    for name in names:
        n_points = 0
        try:
            for step in iter_frontier(
                name,
                split.dataset,
                accounting=options.accounting,
                threshold=options.threshold,
                mistake_costs=mistakes,
                random_state=options.seed,
                split=split,
            ):
                if isinstance(step, float):
                    told.set_description_str(f"{name}, {step:.0%} trained")
                    continue
                told.set_description_str(name, refresh=False)
                told.update()
                n_points += 1
                yield step
        # A method of another package need not raise our own error.
        except (ValueError, ArithmeticError) as error:
            when = f" after {n_points} points" if n_points else ""
            tqdm.write(f"{name} is left out{when}: {error}", file=sys.stderr)


# ------------------------------------------------------------------------- what is left


def _write(
    options: argparse.Namespace,
    split: Split,
    frontier: Frontier,
    mistakes: MistakeCosts | None,
) -> None:
    out, dataset = options.out, split.dataset
    write_text(export.frontier_csv(frontier), out / "frontier.csv")
    write_text(export.hypergraph_hif(dataset), out / "hypergraph.json")
    best = frontier.best_within(options.budget)
    _draw(options, dataset, frontier, best)
    sys.stdout.write(table_text(split))
    if best is None:
        cheapest = min(frontier.held(point) for point in frontier)
        raise DataError(
            f"No model fits a budget of {options.budget:g} "
            f"{unit_text(dataset.unit)}; the "
            f"cheapest costs {cheapest:g}. The frontier is in {out / 'frontier.csv'}."
        )
    worth = worth_notes(best, split)
    free = free_scores(split, frontier.score, mistakes)["test"]
    write_text(export.selection_json(best, dataset, worth), out / "selection.json")
    write_whole(export.estimator_skops(best, dataset), out / "estimator.skops")
    sys.stdout.write(f"{point_text(best, dataset, frontier)}.\n")
    sys.stdout.writelines(
        f"{said}\n"
        for said in (
            positive_text(split),
            free_text(best, free, split, frontier.score),
            held_text(best, frontier, options.budget),
            deciding_text(best, frontier),
            *_mistakes_said(frontier, split, mistakes),
            *_buying_nothing(options.budget, frontier),
        )
        if said
    )
    sys.stdout.write("\n")
    sys.stdout.write(_table(options.budget, split, frontier, mistakes))
    sys.stdout.write(f"\nWritten to {out}\n")


def _draw(
    options: argparse.Namespace,
    dataset: Dataset,
    frontier: Frontier,
    best: FrontierPoint | None,
) -> None:
    # Matplotlib takes a second to import; the other commands do without it.
    from ..figures.saving import printed
    from ..plots import frontier as drawn

    full_cost = dataset.hypergraph.total_cost
    figure = drawn(
        frontier,
        unit=dataset.unit,
        full_cost=full_cost,
        budget=min(options.budget, full_cost),
        chosen=best,
        title=f"{dataset.name}: what accuracy a budget buys",
    )
    for name, content in printed(figure, "frontier").items():
        write_whole(content, options.out / name)


def _buying_nothing(budget: float, frontier: Frontier) -> Iterator[str]:
    """Yield why each method whose best point has no feature has none."""
    for of_one in by_method(frontier).values():
        point = of_one.best_within(budget)
        if point is not None:
            yield first_buy_text(point, of_one, budget)


def _mistakes_said(
    frontier: Frontier, split: Split, mistakes: MistakeCosts | None
) -> Iterator[str]:
    """Yield where testing stops paying, and what one answer for every row costs."""
    if mistakes is None:
        return
    unit = unit_text(split.dataset.unit)
    priced = mistakes_among(mistakes, split.dataset)
    yield f"Of mistakes, {priced.told(unit)}."
    yield where_testing_stops(frontier, split, mistakes).sentence
    each = trivial_answers(split, mistakes)
    said = [f"{number(one.test)} {unit} for {one.label}" for one in each]
    yield f"One answer for every row costs {list_text(said)}."


def _table(
    budget: float, split: Split, frontier: Frontier, mistakes: MistakeCosts | None
) -> str:
    """Return what the budget buys with each method, best on validation first."""
    found = by_method(frontier)
    chosen = {name: of_one.best_within(budget) for name, of_one in found.items()}
    free = free_scores(split, frontier.score, mistakes)
    bought = [point for point in chosen.values() if point is not None]
    bought.sort(key=lambda p: p.scores["validation"][frontier.score], reverse=True)
    rows = [_row(point, frontier) for point in bought]
    nothing_bought = [name for name, point in chosen.items() if point is None]
    rows += [[all_methods()[name].title, *["-"] * 8] for name in nothing_bought]
    sign = -1.0 if frontier.score in NEGATED else 1.0
    nothing = [fixed(sign * free[part], 3) for part in _PARTS]
    rows.append(["(nothing computed)", *nothing, "0", "0", "0", *["-"] * 3])
    unit = unit_text(split.dataset.unit)
    within = "at any cost" if math.isinf(budget) else f"within {number(budget)} {unit}"
    score = SCORES[frontier.score]
    heads = [f"{score} {part}" for part in _PARTS]
    heads += [*(f"cost {part}" for part in _PARTS), "features", "path trained in s"]
    heads += ["µs of predict: a row alone", "a row of many"]
    if frontier.confidence:
        sure = share_text(frontier.confidence)
        within += f" in {sure} of samples of as many rows"
        heads.append("cost with that margin")
        held = [number(frontier.held(point)) for point in bought]
        rows = [[*row, cost] for row, cost in zip_longest(rows, held, fillvalue="-")]
    return (
        f"Best of each method on validation rows, {within}; costs: "
        f"{frontier.accounting} over rows, {unit}\n"
        + _in_columns([["method", *heads], *rows])
        + _held_at_most(bought, frontier)
    )


def _held_at_most(bought: Sequence[FrontierPoint], frontier: Frontier) -> str:
    """Return of which methods validation rows promise nothing; empty if of none."""
    found = [point.method for point in bought if is_held_at_most(point, frontier)]
    if not found:
        return ""
    titles = list_text([all_methods()[name].title for name in found])
    return (
        f"Of {titles} that margin is the most that any row can cost: the validation "
        "rows cannot promise less.\n"
    )


def _in_columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of equal length as lines; all but the first column stand right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        right = (c.rjust(w) for c, w in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *right]).rstrip() + "\n")
    return "".join(lines)


def _row(point: FrontierPoint, frontier: Frontier) -> list[str]:
    deciding = point.decision_seconds or {}
    alone, many = (deciding.get(key, math.nan) for key in ("one_row", "batch_row"))
    costs = [frontier.cost(point, part) for part in _PARTS]
    return [
        all_methods()[point.method].title,
        *(fixed(score_number(point, frontier.score, part), 3) for part in _PARTS),
        *(number(cost) for cost in costs),
        str(point.n_features),
        fixed(_spent(point, frontier), 3),
        f"{1e6 * alone:.0f}",
        f"{1e6 * many:.2f}",
    ]


def _spent(point: FrontierPoint, frontier: Frontier) -> float:
    """Return the seconds that the whole path of a point's method took."""
    return sum(other.seconds for other in frontier.of(point.method))
