"""Samples run twice and watched: what is called, and what forbids to share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import PipelineError, listed, shown
from .calls import Call, Recorder
from .clones import Inside
from .effects import State, listening, stored_name
from .entries import FeatureFunction, has_gaps, numbers_of
from .fingerprint import fingerprint
from .plan import failed
from .roles import Site, merge_call

__all__ = ["Watch"]


class Watch:
    """What was seen while samples ran.

    `sites`: takes what is called, one tree for each entry.
    `whole`: why an entry can share nothing, by its name.
    """

    def __init__(
        self,
        entries: Sequence[FeatureFunction],
        sites: Sequence[Site],
        columns: Sequence[tuple[str, ...]],
        inside: Inside,
    ) -> None:
        self._entries = entries
        self._sites = sites
        self._columns = columns
        self._recorder = Recorder(inside)
        self._n_samples = 0
        self._gaps: Counter[str] = Counter()
        self.whole: dict[str, str] = {}

    def sample(self, sample: Any, number: int) -> Iterator[FeatureFunction]:
        """Run all entries on a sample, twice each; yield each when it is done."""
        kept: list[Any] = []
        self._n_samples += 1
        key = fingerprint(sample, kept)
        for position, entry in enumerate(self._entries):
            first, effect, _ = self._run(entry, sample, number, kept, ())
            self._refuse_odd_values(entry, position, first, number)
            if fingerprint(sample, kept) != key:
                raise PipelineError(
                    f"Feature {shown(entry.name)} changes sample {number} in place; "
                    "let it work on a copy."
                )
            site = self._sites[position]
            merge_call(site, first, number)
            functions = {id(s.function): s.function for s in site.walk()}.values()
            # What is done on the first run alone may be a memory that is filled.
            second, change, deed = self._run(entry, sample, number, kept, functions)
            merge_call(site, second, number, again=True)
            effect = effect or change or deed
            if first.result_key != second.result_key:
                effect = effect or "gives something else each time"
            stored = next(filter(None, map(stored_name, functions)), None)
            if stored:
                effect = effect or f"sets the variable {stored}"
            if effect:
                self.whole.setdefault(entry.name, effect)
            yield entry

    def _run(
        self,
        entry: FeatureFunction,
        sample: Any,
        number: int,
        kept: list[Any],
        functions: Any,
    ) -> tuple[Call, str, str]:
        """Run an entry; return its calls, what it changes, and what it does besides."""
        before = State(functions)
        with listening() as deeds:
            try:
                call = self._recorder.watched(entry, sample, kept)
            except PipelineError:
                raise
            except Exception as error:
                raise failed(entry, error, f"sample {number}") from error
        change = before.difference(State(functions))
        return call, change, deeds[0] if deeds else ""

    def _refuse_odd_values(
        self, entry: FeatureFunction, position: int, call: Call, number: int
    ) -> None:
        numbers = numbers_of(entry.name, call.result)
        expected = len(self._columns[position])
        if len(numbers) != expected:
            raise PipelineError(
                f"Feature {shown(entry.name)} gives {len(numbers)} numbers on sample "
                f"{number} and {expected} on sample 0; give samples of one shape, or "
                "let it give as many each time."
            )
        if has_gaps(numbers):
            self._gaps[entry.name] += 1

    def notes(self) -> list[str]:
        """Return what was seen, a sentence each."""
        notes = [
            f"Feature {shown(name)} is kept whole and shares nothing: it {why}."
            for name, why in self.whole.items()
        ]
        (n_columns, *others) = [len(names) for names in self._columns]
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
