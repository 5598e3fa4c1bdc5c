"""What a person takes away from the frontier page, as downloads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

from .. import export
from ..context import Context
from ..controls import download
from ..markup import markup
from ..script import ViewDescription, script
from ..state import FrontierState
from ..state.session import SessionState
from ..views.message import Message

__all__ = ["describe", "take_away"]


def take_away(state: FrontierState, context: Context) -> Any:
    """Return the downloads of the frontier page.

    Parameters
    ----------
    state : FrontierState
        What is on screen.
    context : Context
        The session.

    Returns
    -------
    viewable
    """
    message = Message(kind="info")

    def of_chosen(
        write: Callable[[Any, Any], str | bytes],
    ) -> Callable[[], str | bytes]:
        def produce() -> str | bytes:
            chosen = state.chosen()
            if chosen is None:
                message.text = (
                    "Nothing is chosen yet: raise the budget, or pick a point."
                )
                return ""
            message.text = ""
            return write(chosen.point, state.dataset)

        return produce

    downloads = [
        ("Selection (JSON)", "selection.json", of_chosen(export.selection_json)),
        ("Estimator (skops)", "estimator.skops", of_chosen(export.estimator_skops)),
        (
            "Frontier (CSV)",
            "frontier.csv",
            lambda: export.frontier_csv(state.frontier()),
        ),
        (
            "Hypergraph (HIF)",
            "hypergraph.json",
            lambda: export.hypergraph_hif(state.dataset),
        ),
        (
            "Script (Python)",
            "thriftscope_view.py",
            lambda: script(describe(state, context.session)),
        ),
    ]
    buttons = [download(label, filename, write) for label, filename, write in downloads]
    return pn.Column(
        markup("<h2>Take it away</h2>", margin=(2, 10)),
        pn.FlexBox(*buttons),
        message,
        sizing_mode="stretch_width",
    )


def describe(state: FrontierState, session: SessionState) -> ViewDescription:
    """Return what is on screen in as much detail as it takes to compute it again.

    Parameters
    ----------
    state : FrontierState
        The knobs of the frontier page.
    session : SessionState
        Where the data come from.

    Returns
    -------
    ViewDescription
    """
    chosen = state.chosen()
    solved = chosen is not None and chosen.reason == "alpha"
    return ViewDescription(
        methods={name: state.method_params(name) for name in state.methods},
        **session.origin,
        accounting=state.accounting,
        threshold_rule=state.threshold,
        budget=state.budget,
        chosen=(chosen.point.method, dict(chosen.point.params)) if solved else None,
        random_state=state.random_state,
        has_pipeline=session.dataset.pipeline is not None,
    )
