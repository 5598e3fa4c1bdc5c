"""All exits of a cascade, sent to a browser once: it moves rows by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, CustomJS

from solvers.methods.hypergraph_cascade import Policy

from ...compute.debounced import Settle
from ...compute.jobs import Job
from ...figures.cascade_exits import ExitPlaces
from ...figures.live import SceneView
from ...widgets.assets import asset
from ...widgets.positions import tidy
from .hypergraph_result import HYPERGRAPH, PolicyResult
from .result import CascadeResult
from .state import METHODS, CascadeState
from .tefe_result import TEFE, CascadePicture, ThresholdResult
from .text import answer_markup
from .training import TrainedHypergraph

# Steps of the slider of a threshold or a budget, from one end to the other.
STEPS = 200
STEP = tidy(1 / STEPS)
SHARES = tuple(tidy(at * STEP) for at in range(STEPS + 1))
# What is moved by the slider, by exit rule.
SLIDERS = {TEFE.name: "share", HYPERGRAPH.name: "budget"}
# What moves with it: of the figure of exits, and of the figure of cost.
MOVED, CHOSEN = ("reach", "right", "wrong", "here"), "here"
_DRAW = f"""{asset("exits.js")}
table.redraw = () => drawExits(table, {{ reach, right, wrong, here, chosen }})
table.redraw()
"""
_MOVED = "table.moved = source.value; table.answer = answer; table.redraw?.()"
_NUMBER = re.compile(r"(\d[\d.]*)")


class AllExits:
    """What a browser has to know to move rows with the slider, and whether it does.

    A browser that has it says so, and is sent no rows from then on. What it has holds
    for one set of stages at the places of the slider; elsewhere the server draws.
    """

    def __init__(
        self, state: CascadeState, method: str, job: Job, settle: Settle
    ) -> None:
        self._state, self._method = state, method
        self._job, self._number = job, 0
        self._stages: Stages | None = None  # Of which the browser has all
        self.source = ColumnDataSource()
        inputs = [*METHODS[method].inputs, "cascade", "policy", "way"]
        state.param.watch(lambda *_: settle(self._ask), list(dict.fromkeys(inputs)))
        state.param.watch(lambda *_: self._follow(), "row")

    def wire(
        self, slider: Any, stages: SceneView, chosen: ColumnDataSource, answer: Any
    ) -> None:
        """Let a slider move rows and rings of two figures, and an answer's words.

        `chosen`: the source of the ring at cost and accuracy.
        """
        sources: dict[str, Any] = stages.hand_over(MOVED, self.is_drawn)
        sources["chosen"] = chosen
        table = {"table": self.source}
        self.source.js_on_change("data", CustomJS(args=sources | table, code=_DRAW))
        slider.jscallback(args=table | {"answer": answer}, value=_MOVED)
        # What the server says of a move is late while the next one is made.
        answer.jscallback(args=table, text="table.redraw?.()")

    def is_drawn(self) -> bool:
        """Return whether the browser draws what is chosen by itself.

        What it has of other stages is taken from it first.
        """
        is_true = self._stages == self._shown()
        if self._stages is not None and not is_true:
            self._stages, self.source.data = None, {}
        has_it = self._stages is not None and self.source.tags == [self._number]
        return has_it and getattr(self._state, SLIDERS[self._method]) in SHARES

    def _shown(self) -> Stages | None:
        """Return the stages that are looked at; None where nothing can be moved."""
        return stages_of(self._state) if self._state.way == self._method else None

    def _ask(self) -> None:
        stages = self._shown()
        if stages is not None and stages != self._stages:
            self._job.submit(
                lambda: all_exits(stages), lambda found: self._send(stages, found[-1])
            )

    def _send(self, stages: Stages, table: dict[str, Any]) -> None:
        state = self._state
        if stages == self._shown():
            self._stages, self._number = stages, self._number + 1
            share = getattr(state, SLIDERS[self._method])
            now = {"number": self._number, "share": share}
            now["followed"] = state.followed(self._method)
            # A column that holds one thing each: they are not of one length.
            self.source.data = {name: [one] for name, one in (table | now).items()}

    def _follow(self) -> None:
        if self._stages is not None:
            self.source.data["followed"] = [self._state.followed(self._method)]


@dataclass(frozen=True)
class PolicyStages:
    """The stages that policies of one cascade of several share."""

    trained: TrainedHypergraph
    member: int
    sizes: tuple[int, ...]  # How many stages each leaf has

    @classmethod
    def of(cls, trained: TrainedHypergraph, policy: Policy) -> PolicyStages:
        """Return the stages of a policy."""
        return cls(trained, policy.member, tuple(map(len, policy.low)))


# What the columns of a picture stand for: the same while only the slider moves.
Stages = CascadePicture | PolicyStages


def stages_of(state: CascadeState) -> Stages | None:
    """Return the stages whose exits are drawn; None before there are any.

    Nor where the figure of cost does not show the point that is chosen.
    """
    if state.way == TEFE.name:
        return state.picture
    if state.hyper is None or state.hyper_curve() is None:
        return None
    return PolicyStages.of(state.hyper, state.hyper.model.policies_[state.policy])


def all_exits(stages: Stages) -> Iterator[dict[str, Any]]:
    """Yield what `assets/exits.js` places test rows by, at all places of the slider."""
    if isinstance(stages, CascadePicture):
        yield _of_thresholds(stages)
    else:
        yield _of_policies(stages)


def _of_thresholds(picture: CascadePicture) -> dict[str, Any]:
    test = picture.test
    found = [ThresholdResult(picture, share) for share in SHARES]
    thresholds = np.array([one.threshold for one in found])
    highest = np.maximum.accumulate(test.confidences[:, :-1], axis=1)
    # A row passes a stage where the threshold lies above: from which place on.
    passed = np.searchsorted(thresholds, highest, side="right").astype(np.uint8)
    told = _told(found, [*range(len(found))], TEFE.first_stage)
    return {
        **told,
        "passed": passed.ravel(),
        "right": test.right.astype(np.uint8).ravel(),
    }


def _of_policies(stages: PolicyStages) -> dict[str, Any]:
    trained, policies = stages.trained, stages.trained.model.policies_
    bought = [trained.policy_within(share) for share in SHARES]
    shared = [
        number
        for number in dict.fromkeys(bought)
        if PolicyStages.of(trained, policies[number]) == stages
    ]
    found = [PolicyResult.of(trained, number) for number in shared]
    case = {number: at for at, number in enumerate(shared)}
    told = _told(found, [case.get(one, -1) for one in bought], HYPERGRAPH.first_stage)
    return {
        **told,
        "exits": np.concatenate([one.exits for one in found]).astype(np.uint16),
        "right": np.concatenate([one.is_right for one in found]).astype(np.uint8),
    }


def _told(
    found: Sequence[CascadeResult], cases: list[int], first: int
) -> dict[str, Any]:
    """Return what is said of each case, and where its columns stand.

    `cases`: by place of the slider; -1 where the server draws. `first`: the number of
    the first stage.
    """
    forms, numbers = parted([escape(answer_markup(one)) for one in found])
    return {
        **vars(ExitPlaces.of(found[0].n_rows, found[0].added)),
        "first": first,
        "steps": STEPS,
        "cases": np.array(cases),
        "cost": np.array([one.cost for one in found]),
        "accuracy": np.array([one.accuracy for one in found]),
        "forms": forms,
        "numbers": numbers,
    }


def parted(texts: Sequence[str]) -> tuple[list[list[str]], list[list[Any]]]:
    """Return texts as the few forms that they have, and the numbers in each.

    Returns
    -------
    forms : list of list of str
        What stands between the numbers.
    numbers : list of list
        Of each text: which form it has, and its numbers.
    """
    forms: dict[tuple[str, ...], int] = {}
    told: list[list[Any]] = []
    for text in texts:
        parts = _NUMBER.split(text)
        told.append([forms.setdefault(tuple(parts[::2]), len(forms)), *parts[1::2]])
    return [[*form] for form in forms], told
