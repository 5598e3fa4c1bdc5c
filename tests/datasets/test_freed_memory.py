"""What is freed is given back, whether Arrow is there or not."""

import sys

import pyarrow as pa

from solvers.datasets.freed_memory import give_back_memory


class Pool:
    released = 0

    def release_unused(self):
        Pool.released += 1


def test_arrow_gives_back_what_it_keeps(monkeypatch):
    monkeypatch.setattr(pa, "default_memory_pool", Pool)
    before = Pool.released
    give_back_memory()
    assert Pool.released == before + 1


def test_arrow_is_not_loaded_for_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "pyarrow")
    give_back_memory()
    assert "pyarrow" not in sys.modules
