"""What is known of a question before any cluster; the rest is in ``questions.py``."""

import subprocess
import sys
from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from solvers.frontier import Cluster, ClusterError, ClusterQuestion, cluster
from solvers.frontier.evaluation import iter_frontier
from tests.frontier.sweep.worlds import tiny

NAMED = """
from solvers.frontier import ClusterQuestion
from solvers.frontier.evaluation import iter_frontier
word = "".join(["bought", " twice"])
asked = ("data", ("n", 2)), (("a", word), ("b", "bought twice")), 0.1 + 0.2
print(ClusterQuestion(None, iter_frontier, (), asked, 1, 0).key)
"""


def key_of(key):
    return ClusterQuestion(None, iter_frontier, (tiny(),), key, 1, 0).key


def test_equal_questions_have_one_name_in_every_process_and_others_another():
    asked = (
        ("data", ("n", 2)),
        (("a", "bought twice"), ("b", "bought twice")),
        0.1 + 0.2,
    )
    there = subprocess.run(
        [sys.executable, "-c", NAMED], check=True, capture_output=True, text=True
    )
    assert there.stdout.strip() == key_of(asked)
    assert key_of((*asked[:2], 0.3)) != key_of(asked)
    assert key_of(None) != key_of(None)


def test_a_worker_of_another_version_gives_no_points_and_says_why():
    pytest.importorskip("distributed")
    other = {**cluster._versions(), "numpy": "1.0"}
    items, error = cluster._worked(other, iter_frontier, tiny())
    assert items == []
    assert isinstance(error, ClusterError)
    assert "has numpy" in str(error)
    assert "where 1.0 is asked for" in str(error)


def test_processes_of_different_versions_share_no_answer(monkeypatch):
    asked = (("data", 2),)
    here = key_of(asked)
    other = {**cluster._versions(), "numpy": "1.0"}
    monkeypatch.setattr(cluster, "_versions", lambda: other)
    assert key_of(asked) != here


def test_an_address_that_is_none_is_refused_with_a_sentence():
    pytest.importorskip("distributed")
    with pytest.raises(ClusterError, match="No Dask scheduler answers at 'nonsense"):
        Cluster("nonsense://x")


def test_a_connection_that_is_closed_meanwhile_is_told_as_the_scheduler_is():
    distributed = pytest.importorskip("distributed")
    there = SimpleNamespace(
        _distributed=distributed, _lost=lambda: ClusterError("It has stopped.")
    )
    asked = ClusterQuestion(there, iter_frontier, (), None, 1, 0)
    asked._got = Future()
    asked._got.set_exception(distributed.comm.CommClosedError("Stream is closed"))
    with pytest.raises(ClusterError, match="It has stopped"):
        list(asked._outcome())
