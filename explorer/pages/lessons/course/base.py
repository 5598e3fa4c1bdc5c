"""What a lesson is: a claim with its limit, one control, a question, a live picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....figures.picture import Picture
from ....session.link import Visit

__all__ = ["Control", "Lesson", "RevealedAnswer", "Shown"]


@dataclass(frozen=True)
class Control:
    """The one thing that a person moves: a few settings in order."""

    label: str  # What it is called
    settings: tuple[str, ...]  # What each setting is called, two or more
    start: int = 0  # The setting that a lesson opens with


@dataclass(frozen=True)
class Shown:
    """What a lesson shows at a setting."""

    picture: Picture  # What is drawn
    summary: str  # The same in one or two sentences
    columns: tuple[str, ...]  # Headings of the table behind the picture
    rows: Sequence[Sequence[Any]]  # Its cells
    share: float = 1.0  # Share of the work that is done


@dataclass(frozen=True)
class RevealedAnswer:
    """The computed answer to a lesson's question."""

    right: int  # Position of the right answer
    why: str  # What was computed, and why it is so
    at: int  # The setting at which the picture shows it


@dataclass(frozen=True)
class Lesson:
    """One idea: what it claims, on which small world, and where it ends."""

    name: str  # Its name in a link
    order: int  # Its place among the lessons
    short: str  # What it is about; says nothing of the answer
    world: str  # The small world, and what has to be known to guess
    title: str  # The claim; this and what follows is told once the answer is revealed
    text: str  # The idea, in two to five sentences
    limit: str  # "Holds when ..., not when ..."
    control: Control  # What a person moves
    question: str  # What a person is to predict
    answers: tuple[str, ...]  # Two to four
    supposes: tuple[str, ...]  # What is overlooked by who picks each, and is wrong
    # Takes the position of a setting; yields pictures, the last one whole
    show: Callable[[int], Iterator[Shown]] = field(repr=False)
    judge: Callable[[], RevealedAnswer] = field(repr=False)  # Computes the right answer
    visit: Visit  # Where to go on
    # How its sentences call entries of the legend, by their names
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Of features, where they read like a term of the glossary
    names: tuple[str, ...] = ()
