"""Windows of a simulated accelerometer at the hip: level ground, or stairs.

Each person has a rhythm of their own; stairs are climbed more slowly, with less of an
impact and more sway. The two overlap, as people do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["HERTZ", "LENGTH", "simulated_walks"]

HERTZ = 50.0
LENGTH = 128  # readings in a window: about two and a half seconds
HARMONICS = 4

#: Mean and deviation over people: steps a second, strength, fall of the harmonics
LEVEL = ((1.9, 0.18), (1.0, 0.25), (1.1, 0.3))
STAIRS = ((1.65, 0.22), (0.9, 0.3), (1.5, 0.4))
SWAY = {"level": 0.12, "stairs": 0.22}  # of the body, at half the rhythm
IMPACT = {"level": 0.5, "stairs": 0.35}  # of the heel, short and sharp
NOISE = 0.35


def simulated_walks(
    n: int, random_state: int | None = 0
) -> tuple[list[NDArray[np.float64]], NDArray[np.str_]]:
    """Return windows of vertical acceleration and where each was walked.

    Shapes: each window (128,), labels (n,). Half of the windows are of each kind.
    """
    rng = np.random.default_rng(random_state)
    labels = np.where(np.arange(n) % 2 == 0, "level", "stairs")
    rng.shuffle(labels)
    return [_window(str(label), rng) for label in labels], labels


def _window(label: str, rng: np.random.Generator) -> NDArray[np.float64]:
    habits = LEVEL if label == "level" else STAIRS
    rhythm, strength, fall = (rng.normal(*habit) for habit in habits)
    time = np.arange(LENGTH) / HERTZ
    turns = rhythm * time + rng.random() + 0.02 * rng.normal(size=LENGTH).cumsum()
    steps = sum(
        strength * k**-fall * np.cos(2 * np.pi * k * turns + rng.normal(0, 0.4))
        for k in range(1, HARMONICS + 1)
    )
    sway = SWAY[label] * rng.lognormal(0, 0.5) * np.cos(np.pi * turns)
    impact = IMPACT[label] * rng.lognormal(0, 0.4) * np.exp(-30 * (turns % 1.0))
    return np.asarray(steps + sway + impact + NOISE * rng.normal(size=LENGTH))
