"""The itemised bill of the row whose way is shown."""

from __future__ import annotations

from typing import TypeAlias

import panel as pn
import param

from solvers.deploy import itemised, policy_from
from solvers.deploy.policy import DeployablePolicy
from solvers.errors import DeployError

from ...widgets.figure_view import Alone
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.tables import bill_markup, plain_table
from ...widgets.text import plain
from .hypergraph_result import PolicyResult
from .state import METHODS, CascadeState
from .take_away import cascade_estimator, shown_result
from .tefe_result import ThresholdResult

_Result: TypeAlias = PolicyResult | ThresholdResult


class RowBill(Alone):
    """What was bought for the row, as the exported files reckon it."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._text = markup("")
        self._table = plain_table(None)  # a sentence stands below it
        self._policy: tuple[_Result, DeployablePolicy | None] | None = None
        self.state.watch_rests(self.method, self._draw, "row")
        self.state.param.watch(lambda _: self._draw(), "way")
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._text, self._table)

    def _draw(self) -> None:
        result = shown_result(self.state)
        if result is None or self.state.way != self.method:
            return
        policy = self._policy_of(result)
        if policy is None:
            self._text.object = "<p>The steps of this cascade cannot be itemised.</p>"
            self._table.object = ""
            return
        row = self.state.followed(self.method)
        own_row = result.split.rows["test"][row]
        bill = itemised(policy, result.dataset.X[own_row])
        number = len(bill.lines)
        told = f"{number} feature{'s' * (number != 1)}"
        said = f"Test row {row}: {told} bought.{result.score_note}"
        self._text.object = f"<p>{plain(said)}</p>"
        self._table.object = bill_markup(bill, result.dataset.unit, policy.classes)

    def _policy_of(self, result: _Result) -> DeployablePolicy | None:
        """Return the steps of a result; None where a foreign classifier answers."""
        if self._policy is None or self._policy[0] is not result:
            try:
                policy = policy_from(cascade_estimator(result))
            except DeployError:
                policy = None
            self._policy = result, policy
        return self._policy[1]
