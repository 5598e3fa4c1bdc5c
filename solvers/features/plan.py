"""Steps compiled to one straight function, whose inputs nobody may change."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ..errors import PipelineError, shown
from .fingerprint import attributes_of, fingerprint, is_constant
from .steps import Step

# Values that functions are given and must not change, since others are given them too.
#
# An array is handed out as a view that cannot be written into. Of anything else it is
# looked, when a function is done, whether it is as it was.


# Hands a value out, and returns whether it is as it was; None where that is needless.
Guard: TypeAlias = tuple[Callable[[], Any] | None, Callable[[], bool] | None]


def guarded(value: Any) -> Guard:
    """Return what hands a value out, and what tells whether it was changed."""
    if isinstance(value, np.ndarray):
        view = value.view()
        view.flags.writeable = False
        return view.view, (witness(value) if value.dtype.hasobject else None)
    if is_constant(value):
        return None, None
    if isinstance(value, pd.Series | pd.DataFrame) and _copies_on_write():
        return partial(value.copy, deep=False), None
    return None, witness(value)


def witness(value: Any) -> Callable[[], bool]:
    """Return what tells whether a value is as it was.

    An attribute of an instance that was None, or not there, may be a memory that was
    not filled yet.
    """
    kept: list[Any] = []  # Holds what is known by its identity
    parts = _parts(value)
    keys = {n: fingerprint(part, kept) for n, part in parts.items() if part is not None}

    def is_same() -> bool:
        now = _parts(value)
        return all(
            name in now and fingerprint(now[name], kept) == key
            for name, key in keys.items()
        )

    return is_same


def _parts(value: Any) -> dict[str, Any]:
    held = attributes_of(value)
    return {"": value} if held is None else held


def _copies_on_write() -> bool:
    """Return whether pandas copies a table before one of its copies is changed."""
    is_always = int(pd.__version__.partition(".")[0]) >= 3
    return is_always or bool(pd.get_option("mode.copy_on_write"))


def refuse_change(function: str) -> None:
    """Refuse a function, by its name, that changes what it is given."""
    raise PipelineError(
        f"Function {shown(function)} changes what it is given; let it work on a copy."
    )


# Steps compiled to one straight function, and what to say when it fails.


_FILE = "<feature plan>"


class Plan:
    """Steps as one function of local variables, one line for each step.

    Little but the feature functions themselves takes time. No name of a caller gets
    into the source: inputs, values and functions are numbered. What functions are given
    they cannot change, or are refused.

    `steps`: in an order of execution.
    `clocked`: whether to return readings of the clock instead, in nanoseconds: two
    before the first step, whose distance is what a reading takes, and one after each
    step.
    `run`: takes a raw sample, returns a tuple.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        inputs: Sequence[str],
        outputs: Sequence[str] = (),
        *,
        clocked: bool = False,
    ) -> None:
        self.steps = tuple(steps)
        self.inputs = tuple(inputs)
        self._needed = {need for step in steps for need in step.arguments}
        self._read = [name for name in inputs if name in self._needed]
        source = self._source(outputs, clocked)
        scope: dict[str, Any] = {"clock": time.perf_counter_ns, "read": read_input}
        scope |= {"guard": guarded, "refuse": refuse_change}
        scope |= {f"key{i}": name for i, name in enumerate(self._read)}
        scope |= {f"name{i}": step.name for i, step in enumerate(self.steps)}
        scope |= {f"function{i}": step.function for i, step in enumerate(self.steps)}
        exec(compile(source, _FILE, "exec"), scope)
        self.run: Callable[[Any], tuple[Any, ...]] = scope["plan"]

    def _source(self, outputs: Sequence[str], clocked: bool) -> str:
        local = {name: f"input{i}" for i, name in enumerate(self._read)}
        local |= {step.name: f"value{i}" for i, step in enumerate(self.steps)}
        get = "read(sample, key{0})" if len(self.inputs) == 1 else "sample[key{0}]"
        lines = ["def plan(sample):"]
        for i, name in enumerate(self._read):
            lines.append(f" input{i} = {get.format(i)}{self._guard(local, name)}")
        lines.append(" before = clock(); clock0 = clock()" if clocked else " pass")
        for i, step in enumerate(self.steps):
            given = [local[need] for need in step.arguments]
            handed = [f"give_{v}() if give_{v} else {v}" for v in given]
            line = f" value{i} = function{i}({', '.join(handed)})"
            for value in dict.fromkeys(given):
                line += f"; same_{value} is None or same_{value}() or refuse(name{i})"
            line += self._guard(local, step.name)
            lines.append(line + (f"; clock{i + 1} = clock()" if clocked else ""))
        clocks = ["before", *(f"clock{i}" for i in range(len(self.steps) + 1))]
        values = clocks if clocked else [local[name] for name in outputs]
        lines.append(f" return ({''.join(f'{value}, ' for value in values)})")
        return "\n".join(lines)

    def _guard(self, local: Mapping[str, str], name: str) -> str:
        value = local[name]
        guard = f"; give_{value}, same_{value} = guard({value})"
        return guard if name in self._needed else ""

    def blame(self, error: Exception, sample: str) -> PipelineError:
        """Return what went wrong, told by the line of the plan where it did."""
        if isinstance(error, PipelineError):
            return PipelineError(f"{str(error).rstrip('.')}; it was {sample}.")
        n_read = len(self._read)
        line = line_of(error, _FILE) - 2
        if line < 0:
            return PipelineError(f"Nothing could be read as {sample}: {error}.")
        if line < n_read:
            return PipelineError(
                f"Nothing can be read as {self._read[line]!r} from {sample}; a sample "
                f"is a mapping that gives {', '.join(self.inputs)}."
            )
        return failure(self.steps[line - 1 - n_read], error, sample)


def failure(step: Step, error: Exception, sample: str) -> PipelineError:
    """Return that a function failed, to be raised from its own error."""
    if isinstance(error, PipelineError):
        return PipelineError(f"{str(error).rstrip('.')}; it was {sample}.")
    if isinstance(error, ValueError) and "read-only" in str(error):
        return PipelineError(
            f"Function {step.name!r} writes into what it is given, or asks to "
            f"({error}); let it work on a copy; it was {sample}."
        )
    return PipelineError(
        f"Function {step.name!r} failed on {sample} with {type(error).__name__}: "
        f"{error}; mend it or leave the sample out."
    )


def read_input(sample: Any, name: str) -> Any:
    """Return the only input of a sample, which may be the bare value itself."""
    if isinstance(sample, Mapping) and name in sample:
        return sample[name]
    return sample


def line_of(error: Exception, file: str) -> int:
    """Return the line of a compiled function at which it failed; 0 if it did not."""
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            return traceback.tb_lineno
        traceback = traceback.tb_next
    return 0
