"""The proof as a file that checks itself, and as the script that finds it again."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import panel as pn

from solvers.certify import write_certificate
from solvers.errors import DataError

from ...compute.jobs import Job
from ...export.deployed import zipped
from ...widgets.controls import download, long_download
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.page_layout import messages, progress_row
from .proof_script import proof_script
from .result import BudgetAnswer
from .state import ProofState

__all__ = ["packed_proof", "take_away"]

ABOUT = (
    "<p>The certificate holds the budget's floor with its proof, the table and the "
    "costs. <code>python check_certificate.py floor.json</code> checks it with numpy "
    "and scipy alone. What it proves can be less than the page says where the search "
    "was too large to keep, or where a larger budget's floor is the better one; the "
    "file says how much.</p>"
)


def take_away(state: ProofState, job: Job) -> Any:
    """Return the downloads of the proof page.

    `job`: packs the certificate in the background.
    """
    message = Message(kind="info")

    def prepare() -> Callable[[], bytes]:
        answer = state.answer

        def write() -> bytes:
            if answer is None:
                raise DataError(
                    "Nothing is proven of this budget yet; wait until it is."
                )
            return packed_proof(answer)

        return write

    def script() -> str:
        message.text = ""
        try:
            return proof_script(state)
        except DataError as error:
            message.text = str(error)
        return ""

    return pn.Column(
        markup(ABOUT),
        pn.FlexBox(
            long_download("Certificate (zip)", "thriftscope_proof.zip", job, prepare),
            download("Script (Python)", "thriftscope_proof.py", script),
        ),
        progress_row(job, "Packing the certificate"),
        message,
        *messages(job),
        sizing_mode="stretch_width",
    )


def packed_proof(answer: BudgetAnswer) -> bytes:
    """Return an archive of the certificate, its data and its checker."""
    data, certificate = answer.data, answer.certified.certificate
    with tempfile.TemporaryDirectory() as folder:
        floor = Path(folder) / "floor.json"
        checker = write_certificate(
            floor, certificate, data.X, data.y, data.hypergraph, data.weight
        )
        files = {path.name: path.read_text("utf-8") for path in (floor, checker)}
    return zipped(files)
