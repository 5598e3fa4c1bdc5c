"""The table of the page on known answers, from the results of its benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs.parts import table, with_part

__all__ = ["PAGE", "filled"]

PAGE = Path(__file__).parent / "known_answers.md"
RESULTS = Path(__file__).parents[1] / "benchmarks" / "results" / "known_answers.json"
NOT_MEASURED = (
    "Nothing has been measured yet: run `python -m benchmarks.known_answers`."
)
WORST_FIRST = ("behind", "within noise", "ahead")
HEAD = (
    *("problem", "published by", "score", "budget", "theirs", "ours", "method"),
    *("difference", "verdict", "over"),
)


def filled(text: str) -> str:
    """Return the page with its tables as they should be."""
    found = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    parts = {"answers": _answers(found), "heart": _heart(found), "runs": _runs(found)}
    parts["ways"] = _ways(found)
    for part, inside in parts.items():
        text = with_part(text, part, inside)
    return text


def _answers(found: dict[str, Any]) -> str:
    lines = [line for part in found.values() for line in part["answers"]]
    if not lines:
        return NOT_MEASURED
    counts = [sum(one["verdict"] == v for one in lines) for v in WORST_FIRST]
    said = ", ".join(f"{v} in {n}" for v, n in zip(WORST_FIRST, counts, strict=True))
    ranked = sorted(lines, key=lambda one: WORST_FIRST.index(one["verdict"]))
    return f"Of {len(lines)} lines we are {said}.\n\n" + table(HEAD, map(_row, ranked))


def _row(one: dict[str, Any]) -> list[str]:
    difference = f"{one['difference']:+.3f} ± {one['error']:.3f}".replace("0.", ".")
    return [
        one["problem"],
        one["who"],
        one["score"],
        one["budget"],
        f"{one['theirs']:.3f}".replace("0.", "."),
        f"{one['ours']:.3f}".replace("0.", "."),
        f"{one['method']}; {one['note']}" if one["note"] else one["method"],
        difference,
        f"**{one['verdict']}**",
        one["n"],
    ]


def _heart(found: dict[str, Any]) -> str:
    if "heart" not in found:
        return NOT_MEASURED
    methods = found["heart"]["behind"]["methods"]
    ranked = sorted(methods, key=lambda name: -methods[name]["cross-validated f1"])
    rows = (
        [
            f"`{name}`",
            *(f"{methods[name][k]:.3f}".lstrip("0") for k in ("cross-validated f1",)),
            f"{methods[name]['cross-validated cost']:.2f}",
            f"{methods[name]['test f1']:.3f}".lstrip("0"),
            f"{methods[name]['test cost']:.2f}",
            f"{methods[name]['test cost at most']:.2f}",
        ]
        for name in ranked
    )
    head = (
        *("method", "F1, cross-validated on 150", "its CAD", "F1 on 153"),
        *("CAD, mean", "CAD, at most"),
    )
    return table(head, rows)


def _ways(found: dict[str, Any]) -> str:
    if "heart" not in found:
        return NOT_MEASURED
    ways = found["heart"]["behind"]["ways of choosing"]
    usual = next(iter(ways.values()))["f1 on rows left out"]
    rows = []
    for way, said in ways.items():
        got, error = said["f1 on rows left out"], said["error of the difference"]
        less = "–" if got == usual else f"{got - usual:+.4f} ± {error:.4f}"
        rows.append([way, f"{got:.4f}".lstrip("0"), less.replace("0.", ".")])
    return table(("way", "F1 on rows left out", "difference to the first"), rows)


def _runs(found: dict[str, Any]) -> str:
    return "\n".join(
        f"- {name}: code {part['environment']['code']}, "
        f"{part['environment']['processor seconds']:.0f} processor seconds, load "
        f"{part['environment']['load before'][0]:g} before."
        for name, part in found.items()
    )
