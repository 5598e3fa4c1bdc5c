"""What takes long is computed in a process beside, and ends as it does here."""

import os

import numpy as np
import pytest

from explorer.compute import beside as module
from explorer.compute import nursery
from explorer.compute.beside import AT_ONCE, beside, use_processes
from explorer.compute.beside_child import NICENESS
from explorer.compute.jobs import FAULT, NO_MEMORY, Job
from explorer.compute.waiting import WAITING
from explorer.pages.frontier.queries import MARKS, TRACES, trace_method
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from tests.each import each
from tests.waiting import until, until_idle

from . import computing
from .test_sandbox import is_gone

pytestmark = pytest.mark.skipif(not nursery.CAN_FORK, reason="processes do not fork")


@pytest.fixture(scope="module", autouse=True)
def used():
    use_processes()
    until(nursery.is_ready)
    yield
    use_processes(used=False)


def items(work, *arguments, **options):
    found = beside(work, *arguments, **options)
    return [item for item in found if item is not WAITING]


def seen(work):
    """What a job has of it, and what it says at the end."""
    job, found = Job(), []
    job.submit(lambda: beside(work), found.extend)
    until_idle(job)
    return found, job.message


@each("is_long", [False, True])
def test_work_is_done_elsewhere_and_gives_way(is_long):
    ((pid, niceness),) = items(computing.where, is_long=is_long)
    assert pid != os.getpid()
    assert niceness == min(19, os.nice(0) + NICENESS[is_long])


def test_a_table_goes_there_and_comes_back():
    table = computing.random_table()
    (found,) = items(computing.doubled, table)
    assert np.array_equal(found, 2 * table)


def test_what_items_have_in_common_comes_once():
    found = items(computing.with_in_common, 50)
    assert [k for k, _ in found] == [*range(50)]
    assert {id(common) for _, common in found} == {id(found[0][1])}


def test_points_are_those_that_are_computed_here():
    state = FrontierState(dataset=bundled("breast_cancer"))
    asked = ("l1", {"n_alphas": 4}, state.dataset, state.threshold, 0)
    there, here = items(trace_method, *asked), [*trace_method(*asked)]
    assert len(there) == len(here)
    for one, other in zip(there, here, strict=True):
        assert one.scores == other.scores
        assert one.cost == other.cost
        assert np.array_equal(one.features, other.features)
        assert np.array_equal(one.model.coef_, other.model.coef_)


def test_a_line_is_answered_while_scripts_wait():
    few = {"l1.n_alphas": 12}
    state = FrontierState(
        dataset=bundled("breast_cancer"), methods=["l1"], settings=few
    )
    TRACES.answer(state)
    MARKS.answer(state)
    assert len(state.frontier("l1").points) > 4
    assert [*state.marks] == ["l1"]


def test_a_refusal_is_the_sentence_that_the_work_says():
    assert seen(computing.refuse) == ([1], "The table has no rows; give one with rows.")


@each(
    "work, message",
    [
        (computing.fail, FAULT),
        (computing.run_out_of_memory, NO_MEMORY),
        (computing.killed, NO_MEMORY),
    ],
)
def test_what_fails_there_is_told_as_if_it_had_failed_here(work, message):
    assert seen(work)[1] == message
    assert len(items(computing.where)) == 1


def test_cancelled_work_is_ended():
    job, found = Job(), []
    job.submit(lambda: beside(computing.wait_long), found.extend)
    until(lambda: found)
    job.cancel()
    until(lambda: is_gone(found[0]))


def test_so_many_are_computed_at_once_and_what_is_short_beside_them():
    waiting = [beside(computing.wait_long) for _ in range(AT_ONCE)]
    pids = [next(i for i in work if i is not WAITING) for work in waiting]
    one_more = beside(computing.with_in_common, 1)
    assert next(one_more) is WAITING
    assert len(items(computing.with_in_common, 1, is_long=False)) == 1
    waiting[0].close()
    assert len([item for item in one_more if item is not WAITING]) == 1
    for work in waiting:
        work.close()
    until(lambda: all(map(is_gone, pids)))


def test_those_that_wait_for_a_process_keep_nobody_out_who_has_one():
    jobs = [Job() for _ in range(3 * AT_ONCE)]
    for job in jobs:
        job.submit(lambda: beside(computing.with_in_common, 30), lambda _: None)
    for job in jobs:
        until_idle(job)
    assert [job.completed for job in jobs] == [1] * len(jobs)


def test_where_none_is_ready_it_is_computed_here(monkeypatch):
    monkeypatch.setattr(module.nursery, "is_ready", lambda: False)
    ((pid, _),) = items(computing.where)
    assert pid == os.getpid()
