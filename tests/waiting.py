"""Waiting for what other threads and processes do, however slow the machine is."""

from time import monotonic, sleep

# What has not happened by then never will: it measures nothing else.
HANGS_SECONDS = 300.0


def until(condition, meanwhile=lambda: None):
    """Wait until something holds; fail where it never does.

    `meanwhile`: what is done between two looks.
    """
    deadline = monotonic() + HANGS_SECONDS
    while not condition():
        assert monotonic() < deadline, "it did not happen"
        meanwhile()
        sleep(0.005)


def until_idle(job):
    """Wait until a job computes nothing any more, and whoever said so has returned.

    Told in the middle of that, param takes what is set next for a part of it.
    """
    from explorer.compute.jobs import immediately  # solvers' tests wait for no job

    until(lambda: not job.busy)
    immediately(lambda: None)
