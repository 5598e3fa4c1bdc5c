"""What entries call in place of shared functions: the value that is there already.

The first who calls computes; its value is held in a place of its own until the sample
is done. Whoever comes later gets a copy if nothing can tell the two calls apart, as
`Place` says. If something can, as in a branch that no traced sample took, the function
is called as ever.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from ..fingerprint import standing_for
from .clones import Inside, Replaced, rebuilt
from .held import Began, Held, Place
from .reach import Reach
from .roles import Role, Site

Targets = dict[int, Any]  # by how many calls of the function came before


class StandIns:
    """Functions that share some roles among them.

    `roles`: what is shared, each with its index in `held`.
    `clock`: takes the time of what is computed, if wanted.
    `began`: is told when a sample begins.
    `places`: by index, where values are held.
    `replaced`: what copies of functions have replaced.
    """

    def __init__(
        self,
        inside: Inside,
        roles: Mapping[Role, int],
        held: Held,
        clock: Clock | None = None,
    ) -> None:
        self._inside = inside
        self._roles = roles
        self._held = held
        self._clock = clock
        self.began = Began()
        self.places = [Place(one.function, one.reach, self.began) for one in roles]
        self.replaced = Replaced()
        self._made: dict[Any, Callable[..., Any]] = {}
        self._names: dict[int, frozenset[int]] = {}

    def function(self, site: Site) -> Any:
        """Return what to call in place of the function of a site."""
        shape = self._shape(site)
        if shape is None:
            return site.function
        if shape not in self._made:
            self._made[shape] = self._function(site)
        return self._made[shape]

    def entry(self, site: Site) -> Any:
        """Return what to call in place of an entry's function."""
        top = next(iter(site.children.values()), None)
        if top is not None and top.function is site.function:
            return self.function(top)
        return self._body(site)

    def _function(self, site: Site) -> Callable[..., Any]:
        role = site.role
        if role not in self._roles or role is None:
            return standing_for(site.function)(self._body(site))
        index, body = self._roles[role], self._body(role.body)
        make = _stand_in if self._clock is None else self._clock.stand_in
        made = make(body, self._held, index, self.places[index])
        return standing_for(site.function)(made)

    def _shape(self, site: Site) -> Any:
        """Return what makes two sites interchangeable; None if nothing is shared."""
        if site.role in self._roles:
            return site.role
        shapes = [(place, self._shape(child)) for place, child in site.children.items()]
        if all(shape is None for _, shape in shapes):
            return None
        return id(site.function), frozenset(shapes)

    def _body(self, site: Site) -> Any:
        """Return the function of a site, with what it calls replaced."""
        turns: list[list[int]] = []
        stand: dict[int, Any] = {}
        for original, targets in self._targets(site).values():
            if all(target is original for target in targets.values()):
                continue
            if len({id(target) for target in targets.values()}) == 1:
                stand[id(original)] = targets[0]
            else:
                stand[id(original)], turn = _in_turn(original, targets)
                turns.append(turn)
        if not stand:
            return site.function
        body = rebuilt(
            site.function, self._inside, lambda f: stand.get(id(f), f), self.replaced
        )
        return _beginning_anew(body, turns) if turns else body

    def _targets(self, site: Site) -> dict[int, tuple[Any, Targets]]:
        """Return each function that is called here, and what stands for each call.

        What a callee calls and cannot name was handed to it: it is replaced here. Where
        two callees were handed one function, each call of it stays as it is.
        """
        found: dict[int, tuple[Any, Targets]] = {}
        for (function, index), child in site.children.items():
            found.setdefault(function, (child.function, {}))[1][index] = self.function(
                child
            )
        for child in site.children.values():
            for function, (original, targets) in self._targets(child).items():
                if function not in self._named_by(child.function):
                    is_first = function not in found
                    found[function] = original, targets if is_first else {0: original}
        return found

    def _named_by(self, function: Any) -> frozenset[int]:
        """Return which functions can be replaced in a function, by their identity."""
        if id(function) not in self._names:
            named: set[int] = set()

            def note(found: Any) -> Any:
                named.add(id(found))
                return found

            rebuilt(function, self._inside, note)
            self._names[id(function)] = frozenset(named)
        return self._names[id(function)]


def _in_turn(original: Any, targets: Mapping[int, Any]) -> tuple[Any, list[int]]:
    """Return what calls one target after the other, and how many it has called."""
    turn = [0]

    @standing_for(original)
    def next_target(*args: Any, **kwargs: Any) -> Any:
        index = turn[0]
        turn[0] = index + 1
        return targets.get(index, original)(*args, **kwargs)

    return next_target, turn


def _beginning_anew(body: Any, turns: list[list[int]]) -> Any:
    def begin(*args: Any, **kwargs: Any) -> Any:
        for turn in turns:
            turn[0] = 0
        return body(*args, **kwargs)

    return begin


def _stand_in(body: Any, held: Held, index: int, place: Place) -> Callable[..., Any]:
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        kept = held[index]
        if kept is None:
            value, held[index] = place.compute(body, args, kwargs)
            return value
        if place.may_give(kept, args, kwargs):
            return kept[2]()
        return body(*args, **kwargs)

    return stand_in


class Clock:
    """Takes the own time of each shared computation, net of taking it.

    `own`: nanoseconds that each place was computed for, by others' shares less.
    """

    def __init__(self) -> None:
        self.own: dict[int, float] = {}
        self._within = [0.0]
        self._gap = _reading_takes()
        self._around = 0.0
        self._around = self._stand_in_takes()

    def start(self) -> None:
        """Forget what was taken."""
        self.own = {}
        self._within = [0.0]

    def run(self, function: Any, sample: Any) -> tuple[Any, float]:
        """Return what an entry gives, and its own time in nanoseconds."""
        self._within = [0.0]
        started = time.perf_counter_ns()
        value = function(sample)
        taken = time.perf_counter_ns() - started
        return value, max(taken - self._within[0] - self._gap, 0.0)

    def stand_in(
        self, body: Any, held: Held, index: int, place: Place
    ) -> Callable[..., Any]:
        """Return what takes the time of what it computes."""

        def stand_in(*args: Any, **kwargs: Any) -> Any:
            kept = held[index]
            if kept is None:
                within = self._within
                within.append(0.0)
                started = time.perf_counter_ns()
                value, held[index] = place.compute(body, args, kwargs)
                taken = time.perf_counter_ns() - started
                own = max(taken - within.pop() - self._gap, 0.0)
                self.own[index] = self.own.get(index, 0.0) + own
                within[-1] += taken + self._around
                return value
            if place.may_give(kept, args, kwargs):
                return kept[2]()
            return body(*args, **kwargs)

        return stand_in

    def _stand_in_takes(self) -> float:
        """Return what a stand-in takes around what it times, more than without."""
        held: Held = [None]

        def nothing(_: Any) -> None:
            return None

        place = Place(nothing, Reach([nothing]), Began())
        timed, plain = (
            make(nothing, held, 0, place) for make in (self.stand_in, _stand_in)
        )
        with_clock: list[float] = []
        without: list[float] = []
        for _ in range(200):
            for function, times in ((timed, with_clock), (plain, without)):
                held[0] = None
                times.append(self.run(function, 0)[1])
        # `run` has taken off already what is within; what is left stands around it.
        return max(sorted(with_clock)[100] - sorted(without)[100], 0.0)


def _reading_takes() -> float:
    """Return what reading the clock takes, in nanoseconds."""
    gaps = []
    for _ in range(200):
        started = time.perf_counter_ns()
        gaps.append(time.perf_counter_ns() - started)
    return float(sorted(gaps)[100])
