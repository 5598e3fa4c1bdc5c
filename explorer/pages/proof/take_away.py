"""The proof as a file that checks itself, and as the script that finds it again."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import panel as pn

from solvers.certify import Certificate, write_certificate
from solvers.errors import DataError

from ...compute.jobs import Job
from ...export.deployed import zipped
from ...widgets.controls import download, long_download
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.page_layout import messages, progress_row
from ...widgets.parts import wide_column
from .data import ProofData
from .proof_script import proof_script
from .state import ProofState

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
                    "Nothing is proven of this budget yet; wait until it is."
                )
            return packed_proof(data, proof.certificate)

        return write

    def script() -> str:
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
            download("Script (Python)", "thriftscope_proof.py", script),
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
