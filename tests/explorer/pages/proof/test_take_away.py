"""What the proof page gives away proves what is on screen, elsewhere too."""

import contextlib
import io
import json
import subprocess
import sys
import zipfile

import pytest

from explorer.pages.proof.state import ProofState
from explorer.pages.proof.take_away import packed_proof, proof_script
from solvers.datasets import make_gaussian
from tests.explorer.pages.proof.answered import answer, prove


@pytest.fixture(scope="module")
def below_a_larger():
    """Heart where the floor of a larger budget is higher than the budget's own."""
    found = answer(prove(ProofState(source="heart", share=0.65), is_short=True))
    assert found.known().lower > found.answer.certified.lower + 1e-3
    return found


def test_the_certificate_checks_what_is_on_screen_without_this_library(
    below_a_larger, tmp_path
):
    shown = below_a_larger
    packed = packed_proof(shown.data, shown.proof().certificate)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(tmp_path)
    claimed = json.loads((tmp_path / "floor.json").read_text("utf-8"))
    assert claimed["lower"] == pytest.approx(shown.known().lower, abs=1e-9)
    assert claimed["budget"] >= shown.budget
    command = [sys.executable, "-I", "check_certificate.py", "floor.json"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "holds" in run.stdout


def test_the_script_finds_what_is_on_screen(below_a_larger):
    found, said = {}, io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(proof_script(below_a_larger), "script.py", "exec"), found)
    shown = below_a_larger.known()
    proof = found["proof"]
    assert proof.certified.budget == pytest.approx(below_a_larger.budget)
    assert proof.certified.lower >= shown.lower - 1e-6
    assert proof.certified.upper == pytest.approx(shown.upper, abs=1e-6)
    assert proof.nearly.count == below_a_larger.answer.nearly.found.count
    assert "checked: the certificate proves" in said.getvalue()


def test_a_script_of_an_own_table_reads_it_from_the_bundle(state):
    state.dataset = make_gaussian()
    assert "read_table('table.parquet'" in proof_script(state)
