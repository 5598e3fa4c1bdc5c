"""What is read from people's files is read elsewhere, and can harm nobody here."""

import io
import os
import threading

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather

from explorer.compute import sandbox
from explorer.compute.jobs import FAULT, Job
from explorer.compute.sandbox import TOO_MUCH, sandboxed
from explorer.compute.sandbox_child import NICENESS, PROCESSOR_SECONDS
from explorer.compute.waiting import WAITING
from solvers.errors import InterchangeError
from tests.each import each
from tests.waiting import HANGS_SECONDS, until, until_idle

from . import reading

pytestmark = pytest.mark.skipif(not sandbox.CAN_FORK, reason="processes do not fork")


def items(work, *arguments):
    return [item for item in sandboxed(work, *arguments) if item is not WAITING]


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_work_is_done_elsewhere_and_each_time_by_another_process():
    pids = {os.getpid(), *items(reading.own_pid), *items(reading.own_pid)}
    assert len(pids) == 3


def test_what_it_yields_comes_in_order():
    assert items(reading.counted, 50) == list(range(50))


def test_a_large_file_goes_there_and_comes_back():
    content = os.urandom(2**20) * 20
    assert items(reading.echo, content) == [content]


def test_its_time_is_bounded_it_leaves_no_core_and_gives_way():
    time_of_it, core, niceness = items(reading.own_limits)
    assert time_of_it == (PROCESSOR_SECONDS, PROCESSOR_SECONDS)
    assert core == (0, 0)
    assert niceness == min(19, os.nice(0) + NICENESS)


def test_a_refusal_is_the_sentence_that_the_reader_says():
    with pytest.raises(InterchangeError, match=r"^The table has no rows; give one"):
        items(reading.refuse)


@each("work", [reading.fill_memory, reading.end_itself])
def test_what_takes_too_much_or_ends_is_refused_in_a_sentence(work):
    with pytest.raises(InterchangeError) as refused:
        items(work)
    assert str(refused.value) == TOO_MUCH


def test_an_arrow_file_that_unpacks_to_more_than_the_memory_is_refused():
    zeros, packed = np.zeros(8_000_000), io.BytesIO()
    table = pa.table({f"x{j}": zeros for j in range(3)} | {"y": zeros})
    feather.write_feather(table, packed, compression="zstd")
    assert len(packed.getvalue()) < 2**20
    with pytest.raises(InterchangeError, match=r"^The file unpacks to more than the"):
        items(reading.unpack, packed.getvalue(), 200)


@each("work", [reading.fail, reading.leave])
def test_a_fault_of_ours_is_told_as_one(work):
    job = Job()
    job.submit(lambda: sandboxed(work), lambda _: None)
    until_idle(job)
    assert job.message == FAULT


def test_after_all_that_the_next_file_is_read():
    for work in (reading.fill_memory, reading.end_itself):
        with pytest.raises(InterchangeError):
            items(work)
    assert items(reading.counted, 3) == [0, 1, 2]


def test_cancelled_work_is_ended():
    job, found = Job(), []
    job.submit(lambda: sandboxed(reading.wait_long), found.extend)
    until(lambda: found)
    job.cancel()
    until(lambda: is_gone(found[0]))


def test_what_takes_too_long_is_given_up_and_ended(clock):
    job, found = Job(), []
    job.submit(lambda: sandboxed(reading.wait_long), found.extend, seconds=1.0)
    until(lambda: found)

    def later():
        clock.now += 0.1

    until(lambda: not job.busy, meanwhile=later)
    assert "was given up" in job.message
    until(lambda: is_gone(found[0]), meanwhile=later)


def test_so_many_are_read_at_once_and_the_others_have_their_turn():
    waiting = [sandboxed(reading.wait_long) for _ in range(sandbox.READERS)]
    pids = [next(i for i in work if i is not WAITING) for work in waiting]
    third = sandboxed(reading.counted, 1)
    assert next(third) is WAITING
    waiting[0].close()
    assert [item for item in third if item is not WAITING] == [0]
    for work in waiting:
        work.close()
    until(lambda: all(map(is_gone, pids)))


def test_readers_that_wait_leave_the_threads_to_others():
    jobs, done = [Job() for _ in range(4)], threading.Event()
    for job in jobs:
        job.submit(lambda: sandboxed(reading.wait_long), lambda _: None)
    quick = Job()
    quick.submit(lambda: iter([1]), lambda _: done.set())
    assert done.wait(HANGS_SECONDS)
    for job in jobs:
        job.cancel()
