"""Samples run twice and watched: what is called, and what forbids to share it."""

from __future__ import annotations

import os
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import numpy as np

from ...errors import PipelineError, listed, reason_of, shown
from ..fingerprint import fingerprint
from ..plan import witness
from .bytecode import read_code
from .calls import Recorder, TracedCall
from .clones import Inside
from .entries import FeatureFunction, Keys, has_gaps
from .plan import failed
from .reach import Reach
from .roles import Site, merge_call

_heard = threading.local()
_is_installed = threading.Event()
_OUTSIDE = {
    "os.remove": "removes a file",
    "os.rename": "renames a file",
    "os.mkdir": "makes a folder",
    "os.system": "starts a program",
    "subprocess.Popen": "starts a program",
    "socket.connect": "opens a connection",
}


@contextmanager
def listening() -> Iterator[list[str]]:
    """Collect what this thread does to the world outside of Python."""
    if not _is_installed.is_set():
        _is_installed.set()
        sys.addaudithook(_hear)  # it stays: Python has no way to take one back
    _heard.deeds = deeds = list[str]()
    try:
        yield deeds
    finally:
        del _heard.deeds


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    deeds = getattr(_heard, "deeds", None)
    if deeds is None:
        return
    if event == "open":
        _, mode, flags = arguments
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
        if writes or set(mode or "") & set("wax+"):
            deeds.append("writes to a file")
    elif event in _OUTSIDE:
        deeds.append(_OUTSIDE[event])


class State:
    """What code could remember: random numbers, and all that it reaches.

    `reach`: of an entry; none, for random numbers alone.
    """

    def __init__(self, reach: Reach | None = None) -> None:
        self._kept: list[Any] = []
        self._random = _random_key()
        self._variables = {} if reach is None else reach.now(self._kept)

    def difference(self, later: State) -> str:
        """Return what was done from this state to a later one; empty if nothing."""
        if self._random != later._random:
            return "draws from the global random numbers"
        for name, key in self._variables.items():
            if later._variables.get(name, key) != key:
                return f"changes {name}"
        return ""


def _random_key() -> Any:
    numpys = np.random.get_state(legacy=False)
    return random.getstate(), fingerprint(numpys, [])


class Watch:
    """What was seen while samples ran.

    `sites`: takes what is called, one tree for each entry.
    `whole`: why an entry can share nothing, by its name.
    """

    def __init__(
        self,
        entries: Sequence[FeatureFunction],
        sites: Sequence[Site],
        keys: Sequence[Keys],
        inside: Inside,
    ) -> None:
        self._entries = entries
        self._sites = sites
        self._keys = keys
        self._recorder = Recorder(inside)
        self._n_samples = 0
        self._gaps: Counter[str] = Counter()
        self._reaches: dict[Any, Reach] = {}
        self.whole: dict[str, str] = {}

    def sample(self, sample: Any, number: int) -> Iterator[FeatureFunction]:
        """Run all entries on a sample, twice each; yield each when it is done."""
        kept: list[Any] = []
        self._n_samples += 1
        is_same = witness(sample)
        for position, entry in enumerate(self._entries):
            reach = self._reach_of(entry, sample)
            first, effect, _ = self._run(entry, sample, number, kept, None)
            self._refuse_odd_values(entry, position, first, number)
            if not is_same():
                raise PipelineError(
                    f"Feature {shown(entry.name)} changes sample {number} in place; "
                    "let it work on a copy."
                )
            site = self._sites[position]
            merge_call(site, first, number)
            # What is done on the first run alone may be a memory that is filled.
            second, change, deed = self._run(entry, sample, number, kept, reach)
            merge_call(site, second, number, again=True)
            differs = first.result_key != second.result_key
            sets = _sets(one.function for one in site.walk())
            reasons = (
                effect,
                f"sets the variable {sets}" if sets else "",
                change or deed,
                "gives something else each time" if differs else "",
                reach.asks,
            )
            if any(reasons):
                self.whole.setdefault(entry.name, next(filter(None, reasons)))
            yield entry
        self._keep_all_whole_beside_settings()

    def _keep_all_whole_beside_settings(self) -> None:
        """Share nothing where an entry may change what a library does for others."""
        for (name, _), reach in self._reaches.items():
            if reach.tunes:
                self.whole[name] = f"may change settings of a library by {reach.tunes}"
                why = f"runs beside {shown(name)}, which {self.whole[name]}"
                for entry in self._entries:
                    self.whole.setdefault(entry.name, why)

    def _reach_of(self, entry: FeatureFunction, sample: Any) -> Reach:
        """Return what an entry can reach, methods of the sample's class among it."""
        known = entry.name, type(sample)
        if known not in self._reaches:
            self._reaches[known] = Reach([entry.function, type(sample)])
        return self._reaches[known]

    def _run(
        self,
        entry: FeatureFunction,
        sample: Any,
        number: int,
        kept: list[Any],
        reach: Reach | None,
    ) -> tuple[TracedCall, str, str]:
        """Run an entry; return its calls, what it changes, and what it does besides."""
        before = State(reach)
        with listening() as deeds:
            try:
                call = self._recorder.watched(entry, sample, kept)
            except Exception as error:
                if isinstance(error, PipelineError):
                    raise
                call = self._unwatched(entry, sample, number, kept, error)
        change = before.difference(State(reach))
        return call, change, deeds[0] if deeds else ""

    def _unwatched(
        self,
        entry: FeatureFunction,
        sample: Any,
        number: int,
        kept: list[Any],
        error: Exception,
    ) -> TracedCall:
        """Return the run of an entry as it is, after one that failed while watched."""
        try:
            result = entry.compute(sample)
        except Exception as its_own:
            raise failed(entry, its_own, f"sample {number}") from its_own
        why = f"fails while it is watched, with {type(error).__name__}: "
        self.whole.setdefault(entry.name, f"{why}{reason_of(error)}")
        key = fingerprint(result, kept)
        return TracedCall(entry.function, result=result, result_key=key)

    def _refuse_odd_values(
        self, entry: FeatureFunction, position: int, call: TracedCall, number: int
    ) -> None:
        keys = self._keys[position]
        numbers = keys.numbers(entry.name, call.result, f" on sample {number}")
        if has_gaps(numbers):
            self._gaps[entry.name] += 1

    def notes(self) -> list[str]:
        """Return what was seen, a sentence each."""
        notes = [
            f"Feature {shown(name)} is kept whole and shares nothing: it {why}."
            for name, why in self.whole.items()
        ]
        (n_columns, *others) = [keys.n_numbers for keys in self._keys]
        if not others and n_columns > 1:
            notes.append(
                f"One function gives all {n_columns} columns, so they are bought "
                "together; give a function for each feature to tell them apart."
            )
        branching = [
            entry.name
            for entry, site in zip(self._entries, self._sites, strict=True)
            if any(
                len(below.keys) < self._n_samples
                for below in site.walk()
                if below is not site
            )
        ]
        if branching:
            notes.append(
                f"{listed(branching)} call other functions on some samples than on "
                "others; what they need on any of them is charged."
            )
        notes += [
            f"Feature {shown(name)} is not finite on {n} of {self._n_samples} samples."
            for name, n in self._gaps.items()
        ]
        return notes


def _sets(functions: Iterable[Any]) -> str:
    """Return a variable from outside that one of the functions sets; else nothing."""
    plain = (one for one in functions if isinstance(one, FunctionType))
    return next(
        (min(sets) for one in plain if (sets := read_code(one.__code__).sets)), ""
    )
