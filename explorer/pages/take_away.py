"""What a person takes away from the frontier page, as downloads."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO, StringIO
from typing import Any

import panel as pn
import panel_material_ui as pmui

from .. import export
from ..context import Context
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

    def of_chosen(write: Callable[[Any, Any], str | bytes]) -> Callable[[], Any]:
        def produce() -> Any:
            chosen = state.chosen()
            if chosen is None:
                message.text = (
                    "Nothing is chosen yet: raise the budget, or pick a point."
                )
                return StringIO("")
            message.text = ""
            return _stream(write(chosen.point, state.dataset))

        return produce

    downloads = [
        ("Selection (JSON)", "selection.json", of_chosen(export.selection_json)),
        ("Estimator (skops)", "estimator.skops", of_chosen(export.estimator_skops)),
        (
            "Frontier (CSV)",
            "frontier.csv",
            lambda: _stream(export.frontier_csv(state.frontier())),
        ),
        (
            "Hypergraph (HIF)",
            "hypergraph.json",
            lambda: _stream(export.hypergraph_hif(state.dataset)),
        ),
        (
            "Script (Python)",
            "thriftscope_view.py",
            lambda: _stream(script(describe(state, context.session))),
        ),
    ]
    buttons = [
        pmui.FileDownload(
            label=label,
            filename=filename,
            callback=callback,
            auto=True,
            variant="outlined",
            size="small",
            margin=5,
            embed=False,
        )
        for label, filename, callback in downloads
    ]
    return pn.Column(
        markup("<h2>Take it away</h2>", margin=(2, 10)),
        pn.FlexBox(*buttons),
        message,
        sizing_mode="stretch_width",
    )


def _stream(content: str | bytes) -> StringIO | BytesIO:
    return StringIO(content) if isinstance(content, str) else BytesIO(content)


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
