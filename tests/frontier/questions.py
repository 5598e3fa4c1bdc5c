"""What a process that serves people asks of a cluster with two workers."""

import json
import os
import signal
from contextlib import closing
from time import sleep

import pytest

from explorer.compute import cluster as here
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from solvers import ThriftscopeError
from solvers.frontier import Cluster, ClusterError
from tests.frontier.asked import counted
from tests.frontier.cluster_running import running
from tests.frontier.sweep.worlds import tiny
from tests.waiting import until


def told(point):
    row = {k: v for k, v in point.row().items() if "seconds" not in k}
    return row, point.features.tobytes(), point.model.coef_.tobytes()


def a_page_shows_what_it_shows_without(cluster, **_):
    found = []
    for address in (None, cluster[0]):
        if address is not None:
            here.use_cluster(address)
        try:
            state = FrontierState(dataset=tiny(), methods=["l1", "acafh"])
            traces = TRACES.answer(state)
            found.append({m: [*map(told, t.points)] for m, t in traces.items()})
        finally:
            here.leave_cluster()
    assert found[0] == found[1]
    assert [*found[0]] == ["l1", "acafh"]


def a_question_outlives_its_worker_and_says_how_far_it_is(cluster, tmp_path, **_):
    asked = Cluster(cluster[0])
    with closing(asked), closing(iter(asked.stream(counted, tmp_path, True))) as items:
        assert next(items) is None
        until(lambda: [*tmp_path.glob("*.begun")])
        (begun,) = tmp_path.glob("*.begun")
        until(lambda: next(items) == 0.5)
        os.kill(int(begun.stem), signal.SIGKILL)
        until(lambda: len([*tmp_path.glob("*.begun")]) == 2, lambda: next(items))
        (tmp_path / "end").touch()
        (tmp_path / "refuse").touch()
        until(lambda: next(items) == "an item")
        with pytest.raises(ThriftscopeError, match="no more"):
            next(items)


def what_several_ask_is_computed_once_and_stops_when_all_have_left(
    cluster, tmp_path, **_
):
    servers = [Cluster(cluster[0]) for _ in range(2)]
    streams = [
        one.stream(counted, tmp_path, True, key=("of", 1.5))
        for one in (*servers, servers[0])
    ]
    for stream in streams:
        stream.begin()
    until(lambda: (tmp_path / "journal").exists())
    for stream in streams[:2]:
        stream.close()
    sleep(0.2)
    assert not (tmp_path / "left").exists()
    streams[2].close()
    until((tmp_path / "left").exists)
    assert (tmp_path / "journal").read_text("utf-8") == "begun\n"
    for one in servers:
        one.close()


def a_cluster_that_cannot_answer_says_why(tmp_path, monkeypatch, **_):
    monkeypatch.setattr("solvers.frontier.cluster._EMPTY_SECONDS", 0)
    with running(tmp_path, 0) as (described, scheduler):
        address = json.loads(described.read_text("utf-8"))["address"]
        with closing(Cluster(address)) as asked:
            with pytest.raises(ClusterError, match="has no workers; start some"):
                list(asked.stream(counted, tmp_path))
            os.killpg(scheduler.pid, signal.SIGKILL)
            scheduler.wait()
            monkeypatch.setattr("solvers.frontier.cluster._EMPTY_SECONDS", 60)
            for _ in range(2):
                with pytest.raises(ClusterError, match="start it again at this"):
                    list(asked.stream(counted, tmp_path))


QUESTIONS = [
    a_page_shows_what_it_shows_without,
    a_question_outlives_its_worker_and_says_how_far_it_is,
    what_several_ask_is_computed_once_and_stops_when_all_have_left,
    a_cluster_that_cannot_answer_says_why,
]
