"""What the structured-costs page asks: what methods decide, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from solvers.markov import compare

from ...compute.query import Query
from .runs import CurvePoint, MethodResults, make_classifiers
from .scenes import N_FOLDS, Setting

if TYPE_CHECKING:
    from .state import StructuredState

# What the graphs are of: a hand that moves one of them still sees something.
MOVED = (
    "label_agreement",
    "extra_links",
    "attribute_strength",
    "n_nodes",
    "occupant_cost",
)
# Methods and settings, so that turning a knob back costs nothing; without decisions,
# those of a curve are small.
KEPT, KEPT_POINTS = 24, 600


def _compared(state: StructuredState) -> dict[str, tuple[Setting, str]]:
    setting = state.setting()
    if setting is None:
        return {}
    return {method: (setting, method) for method in state.computed}


def _tested(state: StructuredState, method: str) -> Iterator[MethodResults]:
    """Return one method's results, first on the graph that is shown."""
    setting, shown = state.setting(), state.shown

    def found() -> Iterator[MethodResults]:
        if setting is None:
            return
        tested = MethodResults(setting, state.world(setting))
        folds = tested.world.folds
        wanted, _ = tested.world.place(shown)
        classifiers = make_classifiers([method], averaged=setting.averaged)
        for fold in sorted(range(len(folds)), key=lambda fold: fold != wanted):
            (result,) = compare([folds[fold]], classifiers, keep_decisions=True)
            results = (*tested.results, replace(result, fold=fold))
            tested = replace(tested, results=results)
            yield tested

    return found()


def _points(state: StructuredState) -> dict[CurvePoint, Any]:
    plan = state.curve_plan()
    return {} if plan is None else plan.points(state.computed)


def _point(state: StructuredState, point: CurvePoint) -> Iterator[MethodResults]:
    """Return what one method pays at one setting of the curve."""
    setting, method = _points(state)[point]

    def found() -> Iterator[MethodResults]:
        world = state.world(setting)
        classifiers = make_classifiers([method], averaged=setting.averaged)
        yield MethodResults(setting, world, tuple(compare(world.folds, classifiers)))

    return found()


COMPARED = Query(
    "run",
    asks=_compared,
    work=_tested,
    follows=(
        *("scene", *MOVED, "seed", "attachment", "averaged"),
        *("methods", "method", "rival", "files", "own", "own_sensors"),
    ),
    trails=MOVED,
    has_parts=True,
    shows=lambda state, found: state.show_tested(found),
    expects=N_FOLDS,
    keeps=KEPT,
)
# Asked once what is shown has come, or by its button.
CURVE = Query(
    "curve",
    asks=_points,
    work=_point,
    has_parts=True,
    shows=lambda state, found: state.show_curve(found),
    expects=1,
    keeps=KEPT_POINTS,
    is_long=True,
)
