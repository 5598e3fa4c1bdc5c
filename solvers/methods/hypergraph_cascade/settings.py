"""What is to be trained, and how far that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import has_fit_parameter

from ...decisions.row_costs import Accounting
from ...errors import KnobError, shown
from .policies import PolicyObjective

OrderChoice: TypeAlias = Literal["forward", "block", "both"]

LINEAR = ("logistic", "expanded")
_NAMED = (*LINEAR, "boosted", "auto")
# Stages, and folds of held-out scores, by whether models are linear.
_STAGES = {True: 25, False: 10}
_FOLDS = {True: 5, False: 3}
# What "auto" tries beside logistic stages asks for so many rows, and fewer features.
_ROWS_FOR_EXPANDED = 100
_ROWS_FOR_BOOSTED = 250
_ROWS_FOR_ROUTING = 250
_WIDE = 250
_AUTO_ROUTING = 2
_FEWEST_ROWS = 100  # to be drawn of many


@dataclass(frozen=True)
class TrainingProgress:
    """How far training is."""

    #: Steps so far, and in all
    done: int
    total: int
    doing: str  #: What the last step was: "stages", a kind of policy, or "choice"


@dataclass(frozen=True)
class MemberRecipe:
    """How one member is made, whatever the rows."""

    kind: str  # "logistic", "expanded", "boosted", or "given" for a classifier
    order: str  # "forward" or "block"
    depth: int = 0  # of routing: splits on a row's way, at most
    has_to_prove: bool = False  # left out where its held-out log-loss is the worse

    @property
    def is_linear(self) -> bool:
        return self.kind in LINEAR

    @property
    def n_folds(self) -> int:
        return _FOLDS[self.is_linear]


@dataclass(frozen=True, eq=False)
class Settings:
    """What is to be trained: the estimator's parameters, by the same names."""

    order: OrderChoice
    stages: int | None
    model: Any
    routing: int | None
    objective: PolicyObjective
    accounting: Accounting
    random_state: int | None

    def n_stages(self, recipe: MemberRecipe) -> int | None:
        """Return into how many steps the full cost is cut; None for one a feature."""
        if self.accounting == "max":
            return None
        return self.stages if self.stages is not None else _STAGES[recipe.is_linear]

    @property
    def orders(self) -> tuple[str, ...]:
        """The orders whose cascades share the pool."""
        if self.accounting == "max":
            return ("forward",)
        return ("forward", "block") if self.order == "both" else (self.order,)

    def recipes(self, n_rows: int, n_features: int) -> tuple[MemberRecipe, ...]:
        """Return what members are tried on so many rows of so many features.

        The first is logistic where any is: others prove themselves against it.
        """
        is_auto = isinstance(self.model, str) and self.model == "auto"
        kind = self.model if isinstance(self.model, str) else "given"
        kinds = ["logistic" if is_auto else kind]
        depth = self.routing or 0
        if is_auto:
            is_narrow = n_features <= _WIDE
            if n_rows >= _ROWS_FOR_EXPANDED and is_narrow:
                kinds.append("expanded")
            if n_rows >= _ROWS_FOR_BOOSTED:
                kinds.append("boosted")
            if self.routing is None and n_rows >= _ROWS_FOR_ROUTING and is_narrow:
                depth = _AUTO_ROUTING
        if self.accounting == "max":
            depth = 0
        # One model for all rows first; of several kinds the first alone is routed.
        plain = [
            MemberRecipe(k, o, 0, k != kinds[0]) for k in kinds for o in self.orders
        ]
        routed = [MemberRecipe(kinds[0], o, depth) for o in self.orders if depth]
        return (*plain, *routed)


def check_most_rows(most: Any) -> None:
    """Refuse what is no number of rows that a cascade can learn from."""
    is_whole = isinstance(most, int | np.integer) and not isinstance(most, bool)
    if most is not None and not (is_whole and most >= _FEWEST_ROWS):
        raise KnobError(
            f"max_rows is {shown(most)}; use a whole number of {_FEWEST_ROWS} or more, "
            "or None to learn from all rows."
        )


def check_model(model: Any) -> None:
    """Refuse what is neither a model by name nor a classifier that takes weights."""
    if isinstance(model, str) and model in _NAMED:
        return
    can_score = hasattr(model, "predict_proba") or hasattr(model, "decision_function")
    is_instance = not isinstance(model, str | type)
    if not (is_instance and can_score and is_classifier(model)):
        raise KnobError(
            f'model is {shown(model)}; use "auto", "logistic", "expanded", "boosted" '
            "or a "
            "scikit-learn classifier with predict_proba or decision_function."
        )
    if not has_fit_parameter(model, "sample_weight"):
        raise KnobError(
            f"model is {shown(model)}, which takes no sample_weight; use a "
            "classifier that does."
        )
