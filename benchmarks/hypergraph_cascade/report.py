"""The tables of the comparison, as the docs show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .cells import Cell
from .comparison import ACCOUNTINGS, SHARES, paired
from .contestants import ONE_THRESHOLD, OURS, ROWS
from .worlds import WORLDS

__all__ = ["brief", "markdown", "tables", "with_brief"]

_BEGIN, _END = "<!-- comparison -->", "<!-- end of comparison -->"

LEVEL = 0.05
# Where the same rows are cut again and again: test rows over training rows.
OVERLAP = 0.5
# The shares of the cost that a page has room for.
_SHOWN = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)


def tables(cells: Mapping[Cell, dict], worlds: list[str]) -> dict[str, Any]:
    """Return a table for each data set, from the cells that are finished."""
    found = {}
    for world in worlds:
        rows: dict[str, dict[int, dict]] = {}
        missing: dict[str, str] = {}
        for row in ROWS:
            told = {
                c.seed: v for c, v in cells.items() if (c.world, c.row) == (world, row)
            }
            why = next((v["missing"] for v in told.values() if "missing" in v), None)
            if why is not None:
                missing[row] = why
            elif told:
                rows[row] = told
        if OURS in rows:
            kind = WORLDS[world]
            overlap = 0.0 if kind.is_drawn else OVERLAP
            found[world] = {
                "linear": kind.is_linear,
                "missing": missing,
                "table": paired(rows, overlap=overlap),
            }
    return found


def markdown(results: dict[str, Any]) -> str:
    """Return a table a data set and accounting, with how far ours is ahead."""
    linear = [name for name, found in results["worlds"].items() if found["linear"]]
    lines = [
        "Score on test rows of what a share of the full cost buys, chosen on "
        "validation rows: F1, or accuracy for ten classes; the answer that computes "
        "nothing is free. In brackets how far the cascade is ahead, seed by seed, with "
        "its standard error: **bold** where it is behind, *slanted* where the two are "
        "not told apart (paired t-tests against all rows of the table together, "
        "corrected by Holm's procedure, 5 %; wider where seeds share rows). *Area* is "
        "the hypervolume, from 0 to 1; *models* how many there are to choose from: "
        "who has more may be luckier. *Seeds* is how many are finished, from 2000 on.",
        "",
        f"Of {len(results['worlds'])} data sets {len(linear)} have labels that are "
        f"drawn from a linear function of the features: {', '.join(linear) or 'none'}.",
        "",
    ]
    for world, found in results["worlds"].items():
        lines += [f"### {world}", ""]
        for accounting in ACCOUNTINGS:
            lines += [
                f"{accounting} cost:",
                "",
                *_table(found["table"][accounting]),
                "",
            ]
        lines += [f"Left out: {row}: {why}" for row, why in found["missing"].items()]
        lines += [""] if found["missing"] else []
    return "\n".join(lines).rstrip() + "\n"


def _table(rows: dict[str, dict]) -> Iterator[str]:
    shown = [SHARES.index(share) for share in _SHOWN]
    head = " | ".join(f"{share:.0%}" for share in _SHOWN)
    yield f"| method | seeds | {head} | area | models |"
    yield "|---" * (len(_SHOWN) + 4) + "|"
    for name, entry in rows.items():
        cells = " | ".join(_cell(entry, at) for at in shown)
        area = f"{entry['hypervolume']:.3f}"
        told = f"{area} | {entry['models']:.0f}"
        yield f"| {name} | {len(entry['seeds'])} | {cells} | {told} |"


def _cell(entry: dict, at: int) -> str:
    score = f"{entry['score'][at]:.3f}"
    if "ours ahead by" not in entry:
        return score
    ahead = entry["ours ahead by"][at]
    if "ours ahead by: standard error" not in entry:
        return f"{score} ({ahead:+z.3f})"
    error = entry["ours ahead by: standard error"][at]
    told = f"{score} ({ahead:+z.3f} ± {error:.3f})"
    if entry["ours ahead by: p"][at] > LEVEL:
        return f"*{told}*"
    return told if ahead > 0 else f"**{told}**"


# What the page of the method shows: the rows that the claims are about.
_RIVALS = {
    ONE_THRESHOLD: "one threshold",
    "DAG, t = 9": "DAG, t = 9",
    "DAG, t = 3": "DAG, t = 3",
    "forward selection": "forward selection",
    "TEFE, gap": "TEFE, gap",
    "LightGBM with costs": "LightGBM",
    "CSTC": "CSTC",
    "two stages of scikit-learn": "two stages",
    "abess (asks no cost)": "abess",
}
_BRIEF = (0.1, 0.2, 0.4, 0.7)


def brief(results: dict[str, Any]) -> str:
    """Return by how much ours is ahead under mean cost, with the seeds of each cell."""
    at = [SHARES.index(share) for share in _BRIEF]
    linear = [name for name, found in results["worlds"].items() if found["linear"]]
    shares = " / ".join(f"{100 * share:.0f}" for share in _BRIEF)
    lines = [
        f"| ours within {shares} % | score | ahead of "
        + " | ".join(_RIVALS.values())
        + " |",
        "|---" * (len(_RIVALS) + 2) + "|",
    ]
    for world, found in results["worlds"].items():
        rows = found["table"]["mean"]
        ours = rows[OURS]
        score = " / ".join(f"{ours['score'][k]:.3f}" for k in at)
        cells = [f"{world} ({len(ours['seeds'])})", score]
        cells += [_ahead_of(rows.get(rival), at) for rival in _RIVALS]
        lines.append("| " + " | ".join(cells) + " |")
    lines += [
        "",
        f"In brackets the seeds; ≈ is not told apart. Of {len(results['worlds'])} data "
        f"sets {len(linear)} have labels drawn from a linear function of the features: "
        f"{', '.join(linear) or 'none'}.",
    ]
    return "\n".join(lines)


def _ahead_of(entry: dict | None, at: list[int]) -> str:
    if entry is None or "ours ahead by" not in entry:
        return "–"
    p = entry.get("ours ahead by: p", [1.0] * len(SHARES))
    ahead = " / ".join(
        f"{1000 * entry['ours ahead by'][k]:+z.0f}" + ("≈" if p[k] > LEVEL else "")
        for k in at
    )
    return f"{ahead} ({len(entry['seeds'])})"


def with_brief(page: str, results: dict[str, Any]) -> str:
    """Return a page with the table between its two marks written anew."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{brief(results)}\n{_END}{after}"
