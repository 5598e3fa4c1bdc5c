"""Work for a sandbox: what readers do, and what hostile files have them do."""

import os
import resource
import sys
import time

from solvers.datasets import read_table
from solvers.errors import DataError


def counted(n):
    yield from range(n)


def own_pid():
    yield os.getpid()


def own_limits():
    yield resource.getrlimit(resource.RLIMIT_CPU)
    yield resource.getrlimit(resource.RLIMIT_CORE)
    yield os.nice(0)


def refuse():
    yield 1
    raise DataError("The table has no rows; give one with rows.")


def fill_memory():
    yield bytearray(8 * 2**30)


def end_itself():
    yield 1
    os._exit(3)


def fail():
    yield 1 / 0


def leave():
    yield sys.exit()


def unpack(table, megabytes):
    """Read a table where the memory is bounded to so much more."""
    with open("/proc/self/statm", encoding="ascii") as file:
        held = int(file.read().split()[0]) * resource.getpagesize()
    most = held + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    yield read_table(table, "y").n_features


def wait_long():
    yield os.getpid()
    time.sleep(600)


def echo(value):
    yield value
