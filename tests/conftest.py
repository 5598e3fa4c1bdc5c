"""Settings that every test shares."""

import gc

from hypothesis import HealthCheck, settings

# Examples are drawn anew on each machine, but the same for each run on it; a slow
# machine is no reason to fail.
settings.register_profile(
    "thriftscope",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("thriftscope")


def pytest_collection():
    """Collect no garbage while tests are collected: all of it stays."""
    gc.disable()


def pytest_collection_finish():
    """Leave what was collected out of every later search for garbage.

    Twelve thousand tests are many objects: where a test collects garbage itself,
    walking over them took longer than what it tests.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
