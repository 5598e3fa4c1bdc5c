"""Settings that every test shares."""

import gc
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from solvers.frontier import evaluation
from tests.slow_files import slow_files

TESTS = Path(__file__).parent
ROOT, SLOW = TESTS.parent, slow_files()
# Scripts of pages run on the node that drives the browser, where there is no other.
if (playwright := find_spec("playwright")) and playwright.origin:
    driver = Path(playwright.origin).parent / "driver"
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), str(driver)])

# Who checks notebooks would build a grammar of web addresses as it is imported, for
# seconds; where it is missing, it does without.
sys.modules.setdefault("rfc3987_syntax", None)
# Examples are drawn anew on each machine, but the same for each run on it; a slow
# machine is no reason to fail. What reads anything at all draws twice as many.
settings.register_profile(
    "thriftscope",
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("thriftscope")


@pytest.fixture(scope="session", autouse=True)
def decisions_are_timed_once():
    """No test is about how long a prediction takes; each point takes these anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "_SINGLE_ROWS", 1)
        yield


def pytest_collection():
    """Collect no garbage while tests are collected: all of it stays."""
    gc.disable()


def pytest_ignore_collect(collection_path, config):
    """Leave files that take seconds where slow tests are left out."""
    path = collection_path
    is_left = "not slow" in config.option.markexpr and path.is_relative_to(TESTS)
    return True if is_left and path.relative_to(ROOT).as_posix() in SLOW else None


def pytest_collection_finish():
    """Leave what was collected out of every later search for garbage.

    Twelve thousand tests are many objects: where a test collects garbage itself,
    walking over them took longer than what it tests. Pages and models make so many
    more that, looked for as often as usual, garbage takes a tenth of the time.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()
