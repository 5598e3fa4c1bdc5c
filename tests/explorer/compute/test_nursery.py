"""What forks children is replaced where it is gone."""

import pytest

from explorer.compute import nursery
from explorer.compute.sandbox import sandboxed
from explorer.compute.waiting import WAITING
from tests.waiting import until

from . import reading
from .test_sandbox import is_gone, items

pytestmark = pytest.mark.skipif(not nursery.CAN_FORK, reason="processes do not fork")


def test_a_nursery_that_was_killed_takes_its_children_along_and_is_replaced():
    work = sandboxed(reading.wait_long)
    child = next(item for item in work if item is not WAITING)
    nursery._nursery._process.kill()
    nursery._nursery._process.wait()
    until(lambda: is_gone(child))
    work.close()
    assert items(reading.counted, 2) == [0, 1]
