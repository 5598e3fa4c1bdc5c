"""Tracing from the first run to the measured hypergraph, a step at a time."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import refuse_twins
from ...errors import PipelineError, shown
from ..fingerprint import alike
from ..timing import checked_samples, evenly_spread
from .calls import Recorder
from .clones import Inside
from .entries import FeatureFunction, Keys, as_entries
from .extractor import TracedExtractor
from .held import Began, Place
from .plan import ClockedPlan, SharedPlan, failed
from .roles import Role, Site, assign_roles, find_shared, merge_times
from .structure import Structure, name_roles
from .watching import Watch

CALLING_NANOSECONDS = 300.0  # a stand-in, besides what it does
MOST_TRACED = 20  # samples that are watched
MOST_MEASURED = 50
TIMINGS = 3  # runs of each sample that tell what calls take
REPEATS = 9  # of the measurement
WATCHED_TAKES = 6.0  # times as long as an entry that is not watched, about


@dataclass(frozen=True)
class TraceProgress:
    """How far tracing has come."""

    stage: str  # What is being done, for people
    share: float  # Of the whole, from 0 to 1
    seconds_left: float | None = None  # An estimate, from the first run on
    extractor: TracedExtractor | None = None  # With the last one


def trace_extractor(
    function: Any,
    samples: Sequence[Any],
    *,
    inside: Sequence[str] | None = None,
    share_above: float | None = None,
) -> TracedExtractor:
    """Find what an extractor's features share, price it, and make it possible to trim.

    The functions of some packages are watched while the extractor runs on a few
    samples. Calls of one function with the same arguments, to the last bit and on
    every sample, are one component of all features that make them.

    Parameters
    ----------
    function : callable, mapping of str to callable, or sequence of callable
        Each takes a raw sample and returns a number, a list of numbers or a mapping of
        names to numbers. What one function returns is bought together: give several
        functions to have their features told apart.
    samples : sequence
        Raw samples, all of one kind; up to 20 of them are watched and up to 50 timed.
    inside : sequence of str, optional
        Packages whose functions are watched, besides the modules of the given
        functions, which always are. Functions of C, such as ``numpy.fft.rfft``, are
        watched where their package is named.
    share_above : float, optional
        Microseconds above which a call is worth sharing; by default twice what it
        takes to see that the call is the same.

    Returns
    -------
    TracedExtractor
        With `hypergraph`, `measure`, `trim`, `open` and `costs_spread`; its `notes`
        say what was found and not shared.

    Raises
    ------
    PipelineError
        If a feature raises (with the sample and its own message), is a generator,
        gives no numbers or not as many on every sample, or changes a sample in place;
        if none of the named packages is called.

    Examples
    --------
    >>> import numpy as np
    >>> def spectrum(signal):
    ...     return np.abs(np.fft.rfft(signal))
    >>> def loudest(signal):
    ...     return spectrum(signal).argmax()
    >>> def energy(signal):
    ...     return (spectrum(signal) ** 2).sum()
    >>> signals = np.random.default_rng(0).normal(size=(5, 5000))
    >>> traced = trace_extractor([loudest, energy], list(signals))
    >>> [(one.component, one.features, one.calls) for one in traced.shared]
    [('spectrum', ('loudest', 'energy'), 2)]
    >>> traced.trim(["energy"])(signals[0]) == (energy(signals[0]),)
    True
    """
    steps = tracing(function, samples, inside=inside, share_above=share_above)
    *_, last = steps
    assert last.extractor is not None
    return last.extractor


def tracing(
    function: Any,
    samples: Sequence[Any],
    *,
    inside: Sequence[str] | None = None,
    share_above: float | None = None,
) -> Iterator[TraceProgress]:
    """Yield how far tracing has come; the last one has the traced extractor.

    After one plain run the rest is estimated; closing the iterator stops. Arguments
    and errors are those of `trace_extractor`; what is wrong with the arguments alone
    is raised at once.
    """
    entries = as_entries(function)
    samples = checked_samples(samples, 1)
    if isinstance(inside, str):
        raise PipelineError(
            f"inside= is {shown(inside)}; give a list of packages, as in "
            f"[{shown(inside)}]."
        )
    for name in inside or ():
        if name not in sys.modules:
            raise PipelineError(
                f"Package {shown(name)} is not imported by the extractor; name in "
                "inside= packages whose functions it calls."
            )
    return _Tracing(entries, samples, inside, share_above).steps()


class _Tracing:
    """One tracing, stage after stage."""

    def __init__(
        self,
        entries: tuple[FeatureFunction, ...],
        samples: Sequence[Any],
        inside: Sequence[str] | None,
        share_above: float | None,
    ) -> None:
        self._entries = entries
        self._few = evenly_spread(len(samples), MOST_TRACED)
        many = evenly_spread(len(samples), MOST_MEASURED)
        self._many = [samples[i] for i in many]
        self._samples = samples
        self._named = inside
        plain = [_unwrapped(entry.function) for entry in entries]
        modules = sorted({getattr(f, "__module__", None) or "" for f in plain} - {""})
        scopes = [f.__globals__ for f in plain if hasattr(f, "__globals__")]
        self._inside = Inside([*(inside or ()), *modules], scopes)
        self._share_above = share_above
        self._notes: list[str] = []
        self._columns: tuple[tuple[str, ...], ...] = ()
        self._keys: tuple[Keys, ...] = ()
        self._sites = tuple(Site(entry.function) for entry in entries)
        self._started, self._done, self._whole_work = 0.0, 0.0, 1.0

    def steps(self) -> Iterator[TraceProgress]:
        yield TraceProgress("one plain run", 0.0)
        seconds = self._run_plainly()
        self._plan_work(seconds)
        yield self._progress("watching calls")
        watch = Watch(self._entries, self._sites, self._keys, self._inside)
        for i in self._few:
            for _ in watch.sample(self._samples[i], i):
                self._done += 2 * WATCHED_TAKES / len(self._entries)
                yield self._progress("watching calls")
        self._refuse_packages_that_are_not_called()
        yield from self._timings()
        assign_roles(self._sites, self._named or ())
        structure = yield from self._checks(watch)
        yield from self._measurements(structure, watch)

    # ----------------------------------------------------------------------- stages

    def _run_plainly(self) -> float:
        """Run the first sample as it is; return what it took, in seconds."""
        started = time.perf_counter()
        columns, keys = [], []
        for entry in self._entries:
            try:
                value = entry.compute(self._samples[0])
            except Exception as error:
                raise failed(entry, error, "sample 0") from error
            keys.append(Keys.of(entry, value))
            columns.append(keys[-1].columns(entry, value))
        self._columns, self._keys = tuple(columns), tuple(keys)
        called = [name for names in columns for name in names]
        refuse_twins(
            called, "The features have the column", PipelineError, "rename one"
        )
        return time.perf_counter() - started

    def _timings(self) -> Iterator[TraceProgress]:
        recorder = Recorder(self._inside)
        for i in self._few:
            for _ in range(TIMINGS):
                for entry, site in zip(self._entries, self._sites, strict=True):
                    merge_times(site, recorder.timed(entry, self._samples[i]))
                self._done += 1
                yield self._progress("timing calls")

    def _structure(self, watch: Watch) -> Structure:
        shared = chosen_roles(self._sites, self._entries, watch, self._share_above)
        name_roles(shared)
        return Structure(
            self._inside,
            self._entries,
            self._sites,
            self._columns,
            self._keys,
            dict(watch.whole),
            tuple(shared),
        )

    def _checks(self, watch: Watch) -> Generator[TraceProgress, None, Structure]:
        """Compare shared with plain values; keep whole what differs, and again."""
        while True:
            structure = self._structure(watch)
            if self._object_to_unshared(structure):
                continue
            plan = SharedPlan(structure, range(len(structure.features)))
            odd: list[str] = []
            for i in self._few:
                odd = self._differing(plan, self._samples[i], watch)
                if odd:
                    break
                self._done += 1
                yield self._progress("comparing values")
            if not odd:
                return structure
            why = "gives something else when calls are shared"
            watch.whole |= dict.fromkeys(odd, why)

    def _object_to_unshared(self, structure: Structure) -> bool:
        """Object to sharing what nobody is given; return whether there is any."""
        samples = [self._samples[i] for i in self._few]
        unshared = ClockedPlan(structure).unshared(samples)
        for role, why in unshared.items():
            why = why or "it is called in a way that cannot be followed"
            role.sites[0].objection = why
        return bool(unshared)

    def _differing(self, plan: SharedPlan, sample: Any, watch: Watch) -> list[str]:
        found = iter(plan.run(sample))
        odd = []
        for entry, keys in zip(self._entries, self._keys, strict=True):
            plain = keys.numbers(entry.name, entry.compute(sample))
            shared = tuple(next(found) for _ in plain)
            if entry.name not in watch.whole and not alike(plain, shared):
                odd.append(entry.name)
        return odd

    def _measurements(
        self, structure: Structure, watch: Watch
    ) -> Iterator[TraceProgress]:
        notes = [*self._notes, *watch.notes(), *kept_apart(structure)]
        last, unmeasured = None, TracedExtractor(structure, notes, None)
        for last in unmeasured.measuring(self._many, REPEATS):
            self._done += 2 * last.n_samples
            yield self._progress("measuring")
        yield TraceProgress("traced", 1.0, 0.0, TracedExtractor(structure, notes, last))

    # --------------------------------------------------------------------- plumbing

    def _plan_work(self, seconds: float) -> None:
        """Set how much there is to do, in plain runs of all entries."""
        n_few, n_many = len(self._few), len(self._many)
        runs = n_few * (2 * WATCHED_TAKES + TIMINGS + 1) + 2 * n_many * REPEATS
        self._whole_work, self._started = float(runs), time.perf_counter()
        self._first_guess = runs * seconds

    def _progress(self, stage: str) -> TraceProgress:
        share = min(self._done / self._whole_work, 1.0)
        spent = time.perf_counter() - self._started
        # What was planned counts until a tenth is done, then what was seen.
        guess = self._first_guess if share < 0.1 else spent / share
        return TraceProgress(stage, share, max(guess * (1 - share), 0.0))

    def _refuse_packages_that_are_not_called(self) -> None:
        called = {
            self._inside.package_of(getattr(site.function, "__module__", None))
            for entry in self._sites
            for site in entry.walk()
            if site is not entry
        }
        if self._named is None:
            return
        missing = [name for name in self._named if name not in called]
        if missing and len(missing) == len(self._named):
            raise PipelineError(
                f"No function of {', '.join(map(shown, missing))} is called; name in "
                "inside= the packages whose functions the features call."
            )
        self._notes += [f"No function of {shown(name)} is called." for name in missing]


def _unwrapped(function: Any) -> Any:
    """Return the function of a partial one or of a method."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__func__", function)


def chosen_roles(
    sites: Sequence[Site],
    entries: Sequence[FeatureFunction],
    watch: Watch,
    share_above: float | None,
) -> list[Role]:
    """Return the roles to share, in the order of their first calls.

    `share_above`: microseconds; by default, what is shared if all features together
    take less time then.
    """
    open_sites = [
        site
        for site, entry in zip(sites, entries, strict=True)
        if entry.name not in watch.whole
    ]
    worth = {
        role
        for role in _roles(open_sites)
        if len(role.sites) > 1 and _may_share(role) and _is_worth(role, share_above)
    }
    return find_shared(open_sites, worth)


def kept_apart(structure: Structure) -> list[str]:
    """Return which calls features have in common and do not share, a sentence each."""
    notes, cheap = [], 0
    sites = structure.open_sites(range(len(structure.entries)))
    # What is called from within shared computations alone is computed once anyway.
    within = {
        site.role
        for shared in structure.shared
        for site in shared.body.walk()
        if site is not shared.body
    }
    for role in _roles(sites):
        if role in structure.shared or len(role.sites) < 2:
            continue
        if not role.objection:
            cheap += role not in within
            continue
        name = getattr(role.function, "__name__", "a function")
        notes.append(
            f"{shown(name)} is called {len(role.sites)} times alike and not shared: "
            f"{role.objection}."
        )
    if cheap:
        notes.append(
            f"{cheap} computations that features have in common take less time than "
            "looking them up would; they stay where they are."
        )
    return sorted(set(notes), key=notes.index)


def _roles(sites: Sequence[Site]) -> list[Role]:
    roles = (site.role for entry in sites for site in entry.walk())
    return list(dict.fromkeys(role for role in roles if role is not None))


def _may_share(role: Role) -> bool:
    if not role.objection:
        role.sites[0].objection = role.reach.unknown
    return not role.objection


def _is_worth(role: Role, share_above: float | None) -> bool:
    if share_above is not None:
        return role.nanoseconds >= 1e3 * share_above
    holding, giving = _holding_and_giving(role)
    return (len(role.sites) - 1) * (role.nanoseconds - giving) > holding


def _holding_and_giving(role: Role) -> tuple[float, float]:
    """Return what it takes to hold a value, and to give it once, in nanoseconds."""
    site, place = role.sites[0], Place(role.function, role.reach, Began())
    args, kwargs = site.arguments
    times = []
    for _ in range(5):
        started = time.perf_counter_ns()
        _, kept = place.compute(lambda *_, **__: site.result, args, kwargs)
        held = time.perf_counter_ns()
        if kept is None:
            return 0.0, 0.0  # why it is not held will be said
        if place.may_give(kept, args, kwargs):
            kept[2]()
        times.append((held - started, time.perf_counter_ns() - held))
    holding, giving = np.min(times, axis=0) + CALLING_NANOSECONDS
    return float(holding), float(giving)
