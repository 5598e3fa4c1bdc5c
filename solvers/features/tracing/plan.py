"""Entries as one straight function that computes what they share once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import PipelineError, reason_of, shown
from ..plan import line_of
from .entries import FeatureFunction, Keys
from .held import Held
from .roles import Role, find_shared
from .stand_ins import Clock, StandIns
from .structure import Structure

_FILE = "<traced features>"


class SharedPlan:
    """Chosen columns of traced entries as one function, one line for each entry.

    Roles that only one of the chosen entries plays, once, are computed where they are
    called, with nothing held.

    `columns`: indices of the columns that are wanted, ascending.
    """

    def __init__(self, structure: Structure, columns: Sequence[int]) -> None:
        self.structure = structure
        wanted = _by_entry(structure, columns)
        self.chosen = tuple(wanted)
        sites = structure.open_sites(self.chosen)
        shared = find_shared(sites, structure.shared)
        self.held: Held = [None] * len(shared)
        self._empty: Held = [None] * len(shared)
        places = {role: place for place, role in enumerate(shared)}
        stand_ins = StandIns(structure.inside, places, self.held)
        self._began, self._replaced = stand_ins.began, stand_ins.replaced
        self._functions = {i: _function(structure, i, stand_ins) for i in wanted}
        self._plan = _compiled(structure, wanted, self._functions)
        plain = {i: structure.entries[i].function for i in wanted}
        self._plain = _compiled(structure, wanted, plain)
        self._lock = threading.Lock()

    def run(self, sample: Any) -> tuple[Any, ...]:
        """Return the chosen columns of a raw sample."""
        with self._lock:  # what is held belongs to one sample
            try:
                return self._run(self._plan, self._plain, sample)
            finally:
                self.held[:] = self._empty

    def run_entry(self, entry: int, sample: Any, held: Held) -> tuple[Any, ...]:
        """Return all columns of one entry, going on with what is held of its sample.

        `held`: is brought up to date.
        """
        given, keys = self.structure.entries[entry], self.structure.keys[entry]
        read = _reader(given, keys, range(len(self.structure.columns[entry])))
        with self._lock:
            self.held[:] = held
            try:
                function = self._functions[entry]
                return read(self._run(function, given.function, sample))
            finally:
                held[:] = self.held
                self.held[:] = self._empty

    def _run(self, shared: Any, plain: Any, sample: Any) -> Any:
        """Call what shares, or what does not where it would call old functions."""
        self._began.now()
        if self._replaced.change():
            return plain(sample)
        value = shared(sample)
        change = self._replaced.change()
        if change:
            raise PipelineError(
                f"Features change {change}, through which they call what they share; "
                "leave out the one that does, or call them without a trace."
            )
        return value

    def blame(self, error: Exception, sample: str) -> PipelineError:
        """Return what went wrong, told by the line of the plan where it did."""
        line = line_of(error, _FILE) - 2
        if isinstance(error, PipelineError) or not 0 <= line < len(self.chosen):
            return PipelineError(f"{str(error).rstrip('.')}; it was {sample}.")
        return failed(self.structure.entries[self.chosen[line]], error, sample)


class ClockedPlan:
    """All entries, run in any order, with the own time of each component."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._clock = Clock()
        self.held: Held = [None] * len(structure.shared)
        places = {role: place for place, role in enumerate(structure.shared)}
        stand_ins = StandIns(structure.inside, places, self.held, self._clock)
        n = len(structure.entries)
        self._functions = [_whole(structure, i, stand_ins) for i in range(n)]
        self._places, self._began = stand_ins.places, stand_ins.began
        first = len(structure.shared)
        self._rows = {i: first + k for k, i in enumerate(structure.own)}

    def nanoseconds(self, sample: Any, order: Sequence[int]) -> NDArray[np.float64]:
        """Return the own time of each component on a sample."""
        times = np.zeros(len(self._structure.components))
        self.held[:] = [None] * len(self.held)
        self._began.now()
        self._clock.start()
        for i in order:
            _, own = self._clock.run(self._functions[i], sample)
            if i in self._rows:
                times[self._rows[i]] = own
        for place, own in self._clock.own.items():
            times[place] = own
        self.held[:] = [None] * len(self.held)
        return times

    def unshared(self, samples: Iterable[Any]) -> dict[Role, str]:
        """Return the shared roles that are not given to anybody on samples, and why."""
        before = [place.taken for place in self._places]
        for sample in samples:
            self.nanoseconds(sample, range(len(self._functions)))
        return {
            role: place.why
            for role, place, taken in zip(
                self._structure.shared, self._places, before, strict=True
            )
            if place.taken == taken
        }


def failed(entry: FeatureFunction, error: Exception, sample: str) -> PipelineError:
    """Return that an entry failed, to be raised from its own error."""
    return PipelineError(
        f"Feature {shown(entry.name)} failed on {sample} with {type(error).__name__}: "
        f"{reason_of(error)}; mend it or leave the sample out."
    )


def _function(structure: Structure, entry: int, stand_ins: StandIns) -> Any:
    """Return what to call for an entry; if sharing fails, it is called as it is."""
    plain = structure.entries[entry].function
    if structure.entries[entry].name in structure.whole:
        return plain
    shared = stand_ins.entry(structure.sites[entry])
    if shared is plain:
        return plain

    def run(sample: Any) -> Any:
        try:
            return shared(sample)
        except (RecursionError, TypeError):  # of what takes no double, or of doubles
            return plain(sample)

    return run


def _whole(structure: Structure, i: int, stand_ins: StandIns) -> Callable[[Any], Any]:
    """Return an entry as one function, with all that a plan does to its value."""
    function, entry = _function(structure, i, stand_ins), structure.entries[i]
    names = structure.columns[i]
    if _is_one_number(entry, names):
        return function
    read = _reader(entry, structure.keys[i], range(len(names)))
    return lambda sample: read(function(sample))


def _by_entry(structure: Structure, columns: Sequence[int]) -> dict[int, list[int]]:
    """Return the chosen columns of each entry, counted from its first one."""
    first = np.concatenate([[0], np.cumsum([len(c) for c in structure.columns])])
    wanted: dict[int, list[int]] = {}
    for column in columns:
        entry = structure.entry_of[column]
        wanted.setdefault(entry, []).append(int(column - first[entry]))
    return wanted


def _is_one_number(entry: FeatureFunction, names: Sequence[str]) -> bool:
    return entry.read is None and tuple(names) == (entry.name,)


def _reader(
    entry: FeatureFunction, keys: Keys, wanted: Sequence[int]
) -> Callable[[Any], tuple[Any, ...]]:
    """Return what takes the wanted numbers out of what an entry gives."""
    takes_all = list(wanted) == list(range(keys.n_numbers))

    def read(value: Any) -> tuple[Any, ...]:
        given = value if entry.read is None else entry.read(value)
        numbers = keys.numbers(entry.name, given)
        return numbers if takes_all else tuple(numbers[k] for k in wanted)

    return read


def _compiled(
    structure: Structure, wanted: Mapping[int, list[int]], functions: Mapping[int, Any]
) -> Callable[[Any], tuple[Any, ...]]:
    """Return the straight function; no name of a caller gets into its source."""
    lines, outputs = ["def plan(sample):"], []
    scope: dict[str, Any] = {}
    for i, columns in wanted.items():
        scope[f"function{i}"] = functions[i]
        entry, names = structure.entries[i], structure.columns[i]
        call = f"function{i}(sample)"
        if _is_one_number(entry, names):
            outputs.append(f"value{i}, ")
        else:
            scope[f"read{i}"] = _reader(entry, structure.keys[i], columns)
            call = f"read{i}({call})"
            outputs.append(f"*value{i}, ")
        lines.append(f" value{i} = {call}")
    lines.append(f" return ({''.join(outputs)})")
    exec(compile("\n".join(lines), _FILE, "exec"), scope)
    plan: Callable[[Any], tuple[Any, ...]] = scope["plan"]
    return plan
