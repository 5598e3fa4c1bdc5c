"""What a person takes away from the frontier page, as downloads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from solvers.datasets import reading_options
from solvers.errors import DataError

from ...document.recipes import recipe_of
from ...export import files as export
from ...export.bundle import HYPERGRAPH, TABLE, BundledView, bundle
from ...export.deployed import DeployForm, as_download, point_files, worth_notes
from ...export.view_script import ViewDescription, script
from ...session.context import Context
from ...session.footprint import Deployable
from ...session.state import SessionState
from ...session.take_away import policy_downloads, take_away_view
from ...widgets.controls import long_download
from ...widgets.page_layout import messages, progress_row
from .offering import chargeable
from .plain_text import plain_answer
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
            description=describe(state, context.session, in_bundle=True),
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
            lambda: script(describe(state, session)),
        ),
        *policy_downloads(policy),
    ]
    whole = long_download("Everything (bundle)", "thriftscope.zip", job, everything)
    packing = [progress_row(job, "Packing everything"), *messages(job)]
    return take_away_view(downloads, more=[whole], below=packing)


def deployable(state: FrontierState) -> Deployable | None:
    """Return the chosen point's model, and the test rows."""
    chosen = state.chosen()
    if chosen is None:
        return None
    return export.answering(chosen.point, state.dataset), state.split().X("test")


def describe(
    state: FrontierState, session: SessionState, *, in_bundle: bool = False
) -> ViewDescription:
    """Return what is on screen in as much detail as it takes to compute it again.

    `session`: where the data come from.
    `in_bundle`: whether the table, where it is a person's own, lies beside the script.
    """
    chosen, axes, price = state.chosen(), state.axes(), state.price
    # A point of a path trains again from its parameters: the one that is lit is told,
    # unless it is the best within the budget, which the script finds anyway.
    told = chosen is not None and chosen.reason in ("alpha", "picked")
    return ViewDescription(
        methods={name: state.method_params(name) for name in state.methods},
        **_origin(session, in_bundle=in_bundle),
        accounting=state.accounting,
        score=axes.score,
        charge=axes.charge,
        confidence=axes.confidence,
        threshold_rule=state.threshold,
        budget=state.budget,
        price=price if price in chargeable(session.dataset) else None,
        limits=axes.limits,
        chosen=(chosen.point.method, dict(chosen.point.params)) if told else None,
        random_state=state.random_state,
        n_splits=state.n_runs,
        has_pipeline=session.dataset.pipeline is not None,
    )


def _origin(session: SessionState, *, in_bundle: bool) -> dict[str, Any]:
    """Return how a script makes the data; edits of costs come from a file beside it."""
    recipe = recipe_of(session.dataset)
    if recipe is not None:
        made = {"dataset_name": recipe.name, "dataset_options": dict(recipe.options)}
        is_edited = recipe_of(session.dataset, as_priced=True) is None
        return made | ({"hypergraph_file": HYPERGRAPH} if is_edited else {})
    if "table_file" in session.origin and not in_bundle:
        return dict(session.origin)
    options = reading_options(session.dataset)
    return {
        "table_file": TABLE,
        "label": options.pop("label"),
        "dataset_options": {key: said for key, said in options.items() if said},
        "hypergraph_file": HYPERGRAPH,
    }
