"""The proof as a file that checks itself, and as the script that finds it again."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import panel as pn

from solvers.certify import Certificate, write_certificate
from solvers.errors import DataError
from solvers.frontier.proof import prove_budget

from ...compute.jobs import Job
from ...export.call import Call, script
from ...export.deployed import zipped
from ...export.loading import bundled_data, loading
from ...widgets.controls import download, long_download
from ...widgets.markup import Message, markup
from ...widgets.page_layout import messages, progress_row
from ...widgets.parts import wide_column
from .questions import MAX_ROWS, ProofData
from .state import ProofState
from .streams import MOST_LISTED

# Less is rounding.
LEAST_GAP = 1e-6

ABOUT = (
    "<p>The certificate holds the budget's floor with its proof, the table and the "
    "costs. <code>python check_certificate.py floor.json</code> checks it with numpy "
    "and scipy alone. Where a larger budget's floor is the better one, it is that "
    "one's, which holds for less money too. What it proves can be less than the page "
    "says where the search was too large to keep; the file says how much.</p>"
)


def take_away(state: ProofState, job: Job) -> Any:
    """Return the downloads of the proof page.

    `job`: packs the certificate in the background.
    """
    message = Message(kind="info")

    def prepare() -> Callable[[], bytes]:
        data, proof = state.data, state.proof()

        def write() -> bytes:
            if proof is None:
                raise DataError(
                    "Nothing is proven of this budget yet; the page says why."
                )
            return packed_proof(data, proof.certificate)

        return write

    def written() -> str:
        message.text = ""
        try:
            return proof_script(state)
        except DataError as error:
            message.text = str(error)
        return ""

    return wide_column(
        markup(ABOUT),
        pn.FlexBox(
            long_download("Certificate (zip)", "thriftscope_proof.zip", job, prepare),
            download("Script (Python)", "thriftscope_proof.py", written),
        ),
        progress_row(job, "Packing the certificate"),
        message,
        *messages(job),
    )


def packed_proof(data: ProofData, certificate: Certificate) -> bytes:
    """Return an archive of a certificate, its data and its checker."""
    with tempfile.TemporaryDirectory() as folder:
        floor = Path(folder) / "floor.json"
        checker = write_certificate(
            floor, certificate, data.X, data.y, data.hypergraph, data.weight
        )
        files = {path.name: path.read_text("utf-8") for path in (floor, checker)}
    return zipped(files)


def proof_script(state: ProofState) -> str:
    """Return a script that prints what is proven of the budget on screen."""
    is_own = state.source == "session"
    without, known = list(state.without), None
    if state.data is not None:
        without, known = state.data.known(without), state.known()
    # The gap on screen where it is closed: larger budgets close it, too.
    gap = float(state.tol if known is None else min(known.gap, state.tol))
    proof = Call(
        prove_budget,
        loading(state.dataset) if is_own else bundled_data(state.source, {}),
        share=float(state.share),
        ridge=float(state.ridge),
        without=without,
        tol=float(state.tol),
        gap=max(gap, LEAST_GAP),
        within=float(state.within),
        seconds=state.budget_question().seconds,
        limit=MOST_LISTED,
        max_rows=MAX_ROWS,
    )
    about = "Prove with Thriftscope how good a linear model can be for the money."
    return script(about, proof=proof)
