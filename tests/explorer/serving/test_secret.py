"""The secret of the sessions: one for all starts of an account, and nobody else's."""

import logging
import os
import stat
import threading

import pytest

from explorer.serving.secret import secret_path, session_secret
from solvers.errors import DataError
from tests.fuzz.bounded import full_disk


@pytest.fixture(autouse=True)
def state(monkeypatch, tmp_path):
    monkeypatch.delenv("BOKEH_SECRET_KEY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def test_a_second_start_has_the_secret_of_the_first_and_nobody_else_reads_it():
    first = session_secret()
    assert session_secret() == first
    assert stat.S_IMODE(os.stat(secret_path()).st_mode) == 0o600
    assert [path.name for path in secret_path().parent.iterdir()] == ["session-secret"]


def test_servers_that_start_at_once_agree():
    found = []
    starts = [
        threading.Thread(target=lambda: found.append(session_secret()))
        for _ in range(8)
    ]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_the_environment_gives_one_for_several_machines(monkeypatch):
    monkeypatch.setenv("BOKEH_SECRET_KEY", "k" * 44)
    assert session_secret() == b"k" * 44
    assert not secret_path().exists()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda path: path.chmod(0o644), "Others may read"),
        (lambda path: path.write_bytes(b""), "which is no secret"),
    ],
)
def test_a_secret_that_is_none_is_refused(spoil, sentence):
    session_secret()
    spoil(secret_path())
    with pytest.raises(DataError, match=sentence):
        session_secret()


def test_a_short_one_from_the_environment_is_refused(monkeypatch):
    monkeypatch.setenv("BOKEH_SECRET_KEY", "short")
    with pytest.raises(DataError, match="has 5 bytes; give 32 at least"):
        session_secret()


def test_where_nothing_can_be_kept_it_lasts_until_the_end(state, caplog):
    state.write_text("a file in the place of the folder")
    with caplog.at_level(logging.WARNING):
        assert session_secret() != session_secret()
    assert "must be loaded anew after a restart" in caplog.text


def test_half_a_secret_is_not_left_on_a_full_disk(caplog):
    with full_disk(10), caplog.at_level(logging.WARNING):
        session_secret()
    assert "must be loaded anew after a restart" in caplog.text
    assert list(secret_path().parent.iterdir()) == []
    assert session_secret() == session_secret()
