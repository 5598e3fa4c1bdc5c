"""Long work holds linear algebra to one thread: more of them mostly wait on each other.

A path of fits is made of many small products. Shared between threads each takes longer,
several times so where other work runs beside it, and sums are added up in another order
on every machine.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

_Asked = ParamSpec("_Asked")
_Step = TypeVar("_Step")


class _Held:
    """The libraries of the process, and who holds them to one thread by now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_inside = 0
        self._held: Any = None  # What sets BLAS back, while somebody is inside
        # What is loaded is looked up, which takes a while, when somebody asks first,
        # and again where modules have been imported since.
        self._n_modules = 0
        self._blas: Any = None
        self._openmp: Any = None

    def enter(self) -> Any:
        """Hold BLAS, which counts its threads for all; the last to leave lets it go.

        Returns what controls OpenMP, which counts for each thread that asks by itself.
        """
        with self._lock:
            if self._n_modules != len(sys.modules):
                self._n_modules, loaded = len(sys.modules), ThreadpoolController()
                self._blas = loaded.select(user_api="blas")
                self._openmp = loaded.select(user_api="openmp")
            if not self._n_inside:
                _owned_by_nobody(self._blas)
                self._held = self._blas.limit(limits=1)
                _owned_by_nobody(self._blas)
            self._n_inside += 1
            return self._openmp

    def leave(self) -> None:
        with self._lock:
            self._n_inside -= 1
            if not self._n_inside:
                _owned_by_nobody(self._blas)
                self._held.restore_original_limits()
                _owned_by_nobody(self._blas)


def _owned_by_nobody(libraries: ThreadpoolController) -> None:
    """Let whoever is last set OpenBLAS back: else only who set it first may."""
    for library in libraries.lib_controllers:
        if hasattr(library, "clear_controlling_thread"):  # not in old ones
            library.clear_controlling_thread(force=True)


_held = _Held()


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold linear algebra to one thread, and let it go at the end."""
    openmp = _held.enter()
    try:
        with openmp.limit(limits=1):
            yield
    finally:
        _held.leave()


def in_one_thread(
    steps: Callable[_Asked, Iterator[_Step]],
) -> Callable[_Asked, Iterator[_Step]]:
    """Let a generator compute each of its steps in one thread.

    Between the steps linear algebra has its threads for whoever asks for them.
    """

    @wraps(steps)
    def begun(*args: _Asked.args, **kwargs: _Asked.kwargs) -> Iterator[_Step]:
        items: Any = steps(*args, **kwargs)
        with closing(items):
            while True:
                with one_thread():
                    try:
                        item = next(items)
                    except StopIteration:
                        return
                yield item

    return begun
