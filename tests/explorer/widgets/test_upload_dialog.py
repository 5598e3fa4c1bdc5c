"""A dialog that reads files closes once they are read, and tells what is refused."""

import threading

import pytest

from explorer.compute.jobs import Job
from explorer.widgets.upload_dialog import UploadDialog, file_input
from solvers.errors import DataError
from tests.waiting import HANGS_SECONDS, until_idle


class Numbers(UploadDialog):
    """Reads a number."""

    title = "Numbers"


@pytest.fixture
def dialog():
    return Numbers(Job(lambda callback: callback()))


def test_a_dialog_is_sent_when_it_is_first_opened(dialog):
    sent = dialog.__panel__()
    assert not sent.objects
    dialog.open()
    assert [one.open for one in sent] == [True]
    dialog.close()
    assert [one.open for one in sent] == [False]


def test_what_is_read_is_used_and_closes_the_dialog(dialog):
    used, done = [], threading.Event()
    dialog.open()
    assert dialog._dialog.open
    dialog._read(lambda: iter([1, 2]), lambda found: (used.append(found), done.set()))
    assert done.wait(HANGS_SECONDS)
    until_idle(dialog.job)
    assert used[-1] == 2
    assert not dialog._dialog.open


def test_what_is_refused_is_told_and_leaves_the_dialog_open(dialog):
    def refuse():
        raise DataError("The file is empty; choose another.")
        yield

    dialog.open()
    dialog._read(refuse, pytest.fail)
    until_idle(dialog.job)
    assert dialog.job.message == "The file is empty; choose another."
    assert dialog._dialog.open


def test_a_file_is_refused_by_its_weight_before_it_is_sent():
    job = Job(lambda callback: callback())
    chosen = file_input("Nodes (CSV)", 1000, job, visible=False)
    assert chosen.max_file_size == 1000
    assert chosen.label == "Nodes (CSV)"
    assert not chosen.visible


def test_why_a_browser_sends_no_file_is_told():
    job = Job(lambda callback: callback())
    chosen = file_input("Nodes (CSV)", 1000, job)
    refused = 'File "nodes.csv" (2 MB) exceeds maximum file size of 0 MB'
    chosen._handle_msg({"status": "error", "error": refused})
    assert job.message == f"{refused}; choose another."
