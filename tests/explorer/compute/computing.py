"""Work that is done beside: what it finds there, and how it ends."""

import os
import signal
import time

import numpy as np

from solvers.errors import DataError

# What all items of one piece of work have in common.
COMMON = tuple(range(1000))


def where():
    yield os.getpid(), os.nice(0)


def doubled(table):
    yield 2 * table


def with_in_common(n):
    for k in range(n):
        yield k, COMMON


def refuse():
    yield 1
    raise DataError("The table has no rows; give one with rows.")


def fail():
    yield 1 / 0


def run_out_of_memory():
    raise MemoryError
    yield


def killed():
    yield 1
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(600)


def wait_long():
    yield os.getpid()
    time.sleep(600)


def random_table():
    return np.random.default_rng(0).normal(size=(400, 500))
