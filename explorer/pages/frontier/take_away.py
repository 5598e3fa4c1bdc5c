"""What a person takes away from the frontier page, as downloads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from solvers.datasets import charging, within_limits
from solvers.errors import DataError
from solvers.frontier.comparison import answer_samples, compare_methods

from ...export import files as export
from ...export.bundle import BundledView, bundle
from ...export.call import Call, script
from ...export.deployed import DeployForm, as_download, point_files, worth_notes
from ...export.loading import loading
from ...session.context import Context
from ...session.footprint import Deployable
from ...session.state import SessionState
from ...session.take_away import policy_downloads, take_away_view
from ...widgets.controls import long_download
from ...widgets.page_layout import messages, progress_row
from .answer import plain_answer
from .choices import chargeable
from .state import FrontierState


def take_away(state: FrontierState, context: Context) -> Any:
    """Return the downloads of the frontier page."""

    def of_chosen(write: Callable[[Any, Any], str | bytes]) -> str | bytes:
        chosen = state.chosen()
        if chosen is None:
            raise DataError("Nothing is chosen yet: raise the budget, or pick a point.")
        return write(chosen.point, state.dataset)

    def selection(point: Any, data: Any) -> str:
        return export.selection_json(point, data, worth_notes(point, state.split()))

    def policy(form: DeployForm) -> str | bytes:
        return of_chosen(
            lambda point, _: as_download(point_files(point, state.split(), form), form)
        )

    def everything() -> Callable[[], bytes]:
        chosen = state.chosen()
        traced = [name for name in state.methods if name in state.traces]
        view = BundledView(
            dataset=state.dataset,
            given=context.session.dataset,
            frontiers={name: state.frontier(name) for name in traced},
            axes=state.axes(),
            budget=state.budget,
            chosen=None if chosen is None else chosen.point,
            reason="" if chosen is None else chosen.reason,
            script=frontier_script(state, context.session, in_bundle=True),
            split=state.split(),
            answer=answer.text() if (answer := plain_answer(state)) else "",
        )
        return lambda: bundle(view)

    job, session = context.job(), context.session
    estimator = partial(of_chosen, export.estimator_skops)
    downloads = [
        ("Selection (JSON)", "selection.json", partial(of_chosen, selection)),
        ("Estimator (skops)", "estimator.skops", estimator),
        (
            "Frontier (CSV)",
            "frontier.csv",
            lambda: export.frontier_csv(state.frontier()),
        ),
        (
            "Hypergraph (HIF)",
            "hypergraph.json",
            lambda: export.hypergraph_hif(session.dataset),
        ),
        (
            "Script (Python)",
            "thriftscope_view.py",
            lambda: frontier_script(state, session),
        ),
        *policy_downloads(policy),
    ]
    whole = long_download("Everything (bundle)", "thriftscope.zip", job, everything)
    packing = [progress_row(job, "Packing everything"), *messages(job)]
    return take_away_view(downloads, "The chosen model", more=[whole], below=packing)


def deployable(state: FrontierState) -> Deployable | None:
    """Return the chosen point's model, and the test rows."""
    chosen = state.chosen()
    if chosen is None:
        return None
    return export.answering(chosen.point, state.dataset), state.split().X("test")


def frontier_script(
    state: FrontierState, session: SessionState, *, in_bundle: bool = False
) -> str:
    """Return a script that prints what the budget on screen buys.

    `session`: where the data come from.
    `in_bundle`: whether the table, where it is a person's own, lies beside the script.
    """
    chosen, axes, price = state.chosen(), state.axes(), state.price
    # A point of a path trains again from its parameters: the one that is lit is told,
    # unless it is the best within the budget, which the script finds anyway.
    is_told = chosen is not None and chosen.reason in ("alpha", "picked")
    given = loading(session.dataset, None if in_bundle else session.origin)
    if price in chargeable(session.dataset):
        given = Call(charging, given, price)
    if axes.limits:
        given = Call(within_limits, given, axes.limits)
    comparison = Call(
        compare_methods,
        given,
        {name: state.method_params(name) for name in state.methods},
        budget=state.budget,
        accounting=state.accounting,
        score=axes.score,
        charge=axes.charge,
        confidence=axes.confidence,
        limits=axes.limits,
        threshold=state.threshold,
        mistake_costs=state.mistakes_call(),
        chosen=(chosen.point.method, dict(chosen.point.params)) if is_told else None,
        n_splits=state.n_runs,
        random_state=state.random_state,
        progress=True,
    )
    calls = {"comparison": comparison}
    if session.dataset.pipeline is not None:
        calls["answers"] = Call(answer_samples, comparison)
    return script("Compute a view of Thriftscope again.", **calls)
