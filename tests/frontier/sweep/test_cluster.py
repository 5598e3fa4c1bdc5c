"""On a real Dask scheduler with two workers, one of which is killed."""

import importlib
import json
import os
import signal
import threading
import warnings
from contextlib import contextmanager

import pandas as pd
import pytest

from explorer.commands.cli import main
from solvers import ThriftscopeError
from solvers.frontier.sweep import read_sweep, sweep
from solvers.frontier.sweep.workers import _result
from solvers.methods.l1 import L1Classifier
from tests.each import each
from tests.frontier.cluster_running import running
from tests.frontier.questions import QUESTIONS
from tests.frontier.sweep.worlds import DyingClassifier, tiny, told
from tests.waiting import HANGS_SECONDS, until


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a scheduler with two workers, and its process."""
    with running(tmp_path_factory.mktemp("cluster"), 2) as (described, scheduler):
        address = json.loads(described.read_text("utf-8"))["address"]
        with workers_of(address):
            pass
        yield address, scheduler


@contextmanager
def workers_of(address):
    """How to list the processes of two workers, as soon as both are there."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=HANGS_SECONDS)
        yield client


METHODS = {
    "l1": L1Classifier(n_alphas=4),
    "rough": L1Classifier(n_alphas=3, refit=False),
}


def a_cluster_gives_the_points_of_one_process(cluster, **_):
    address, _ = cluster
    data = [tiny("one"), tiny("two", 1)]
    swept = [told(p) for p in sweep(METHODS, data, [0, 1], scheduler=address)]
    assert swept == [told(p) for p in sweep(METHODS, data, [0, 1], n_workers=1)]


def a_worker_that_dies_by_its_task_is_retried(cluster, tmp_path, **_):
    address, _ = cluster
    methods = {**METHODS, "mortal": DyingClassifier(marker=str(tmp_path / "died"))}
    data, out = [tiny()], tmp_path / "out"
    swept = [
        told(p) for p in sweep(methods, data, range(3), scheduler=address, out=out)
    ]
    assert (tmp_path / "died.0").exists()
    expected = [told(p) for p in sweep(methods, data, range(3), n_workers=1)]
    assert swept == expected
    stored = [told(point) for point in read_sweep(out)]
    assert sorted(map(str, stored)) == sorted(map(str, expected))


def a_worker_that_is_killed_from_outside_loses_nothing(cluster, **_):
    address, _ = cluster
    with workers_of(address) as client:
        victims = list(client.run(os.getpid).values())
    points = sweep(METHODS, [tiny()], range(5), scheduler=address)
    swept = [told(next(points))]
    os.kill(victims[0], signal.SIGKILL)
    swept += [told(point) for point in points]
    assert swept == [told(p) for p in sweep(METHODS, [tiny()], range(5), n_workers=1)]


def the_command_sweeps_on_a_scheduler(cluster, tmp_path, capfd, **_):
    address, _ = cluster
    asked = ["run", "--data=breast_cancer", "--methods=jit", "--seeds=0,1"]
    assert main([*asked, f"--scheduler={address}", f"--out={tmp_path / 'there'}"]) == 0
    assert main([*asked, "--workers=1", f"--out={tmp_path / 'here'}"]) == 0
    there, here = (
        pd.read_csv(
            tmp_path / place / "frontier.csv",
            usecols=lambda name: "seconds" not in name,
        )
        for place in ("there", "here")
    )
    pd.testing.assert_frame_equal(there, here)


def a_module_that_the_cluster_lacks_is_told(cluster, tmp_path, monkeypatch, **_):
    address, _ = cluster
    (tmp_path / "only_here.py").write_text(
        "from solvers.methods.l1 import L1Classifier\n"
        "class Mine(L1Classifier):\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    mine = importlib.import_module("only_here").Mine()
    with pytest.raises(
        ThriftscopeError, match="mine on tiny, seed 0: the cluster lacks"
    ):
        list(sweep({"mine": mine}, [tiny()], scheduler=address))


def a_scheduler_that_stops_is_told_in_one_sentence(cluster, tmp_path, capfd, **_):
    """Last: there is no cluster afterwards."""
    out = tmp_path / "out"
    address, scheduler = cluster

    def stop():
        until(lambda: list(out.glob("points/*.parquet")))
        os.killpg(scheduler.pid, signal.SIGKILL)

    asked = ["run", "--data=breast_cancer", "--methods=jit", "--seeds=0-99"]
    stopping = threading.Thread(target=stop)
    stopping.start()
    assert main([*asked, f"--scheduler={address}", f"--out={out}"]) == 2
    stopping.join()
    told = capfd.readouterr().err
    assert "the scheduler stopped or lost the task; start it again" in told
    assert "Traceback" not in told
    assert "distributed.client" not in told


ON_A_CLUSTER = [
    a_cluster_gives_the_points_of_one_process,
    a_worker_that_dies_by_its_task_is_retried,
    a_worker_that_is_killed_from_outside_loses_nothing,
    the_command_sweeps_on_a_scheduler,
    a_module_that_the_cluster_lacks_is_told,
    *QUESTIONS,
    a_scheduler_that_stops_is_told_in_one_sentence,
]


@pytest.mark.slow
@each("claim", ON_A_CLUSTER)
def test_on_a_cluster(claim, cluster, tmp_path, monkeypatch, capfd):
    """In one test, that the cluster is started once."""
    claim(cluster=cluster, tmp_path=tmp_path, monkeypatch=monkeypatch, capfd=capfd)


def test_a_connection_that_is_closed_meanwhile_is_told_as_the_scheduler_is():
    """How it is heard of first is a matter of luck."""
    distributed = pytest.importorskip("distributed")

    class Closed:
        def result(self):
            raise distributed.comm.CommClosedError(
                "in <TCP (closed)>: Stream is closed"
            )

    with pytest.raises(ThriftscopeError, match="the scheduler stopped or lost"):
        _result(distributed, Closed(), "mine on tiny, seed 0")


def test_an_address_where_nobody_answers_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr("solvers.frontier.cluster._CONNECT_SECONDS", 0.3)
    with (
        warnings.catch_warnings(),
        pytest.raises(
            ThriftscopeError,
            match=r"No Dask scheduler answers at 'tcp://127\.0\.0\.1:9'",
        ),
    ):
        next(sweep(METHODS, [tiny()], scheduler="tcp://127.0.0.1:9"))


def test_an_address_that_is_none_is_refused_with_a_sentence():
    with pytest.raises(
        ThriftscopeError, match="No Dask scheduler answers at 'nonsense"
    ):
        next(sweep(METHODS, [tiny()], scheduler="nonsense://x"))
