"""The tables of the comparison, as the docs show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .cells import Cell
from .comparison import ACCOUNTINGS, SHARES, paired
from .contestants import ONE_THRESHOLD, OURS, ROWS

__all__ = ["brief", "markdown", "tables", "with_brief"]

_BEGIN, _END = "<!-- comparison -->", "<!-- end of comparison -->"

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
            found[world] = {"missing": missing, "table": paired(rows)}
    return found


def markdown(results: dict[str, Any]) -> str:
    """Return a table a data set and accounting, with how far ours is ahead."""
    lines = [
        "Score on test rows of what a share of the full cost buys, chosen on "
        "validation rows: F1, or accuracy for ten classes. In brackets how far the "
        "cascade is ahead, seed by seed, with its standard error; **bold** where it "
        "is behind by more than two of them. *Area* is the hypervolume, from 0 to 1. "
        "*Seeds* is how many are finished, from 2000 on; rows of other seeds have "
        "other means, and only brackets compare them. With two seeds an error rests on "
        "a single difference: it says little.",
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
    yield f"| method | seeds | {head} | area |"
    yield "|---" * (len(_SHOWN) + 3) + "|"
    for name, entry in rows.items():
        cells = " | ".join(_cell(entry, at) for at in shown)
        area = f"{entry['hypervolume']:.3f}"
        yield f"| {name} | {len(entry['seeds'])} | {cells} | {area} |"


def _cell(entry: dict, at: int) -> str:
    score = f"{entry['score'][at]:.3f}"
    if "ours ahead by" not in entry:
        return score
    ahead = entry["ours ahead by"][at]
    if "ours ahead by: standard error" not in entry:
        return f"{score} ({ahead:+z.3f})"
    error = entry["ours ahead by: standard error"][at]
    told = f"{score} ({ahead:+z.3f} ± {error:.3f})"
    return f"**{told}**" if ahead < -2.0 * error else told


# What the page of the method shows: the rows that the claims are about.
_RIVALS = {
    ONE_THRESHOLD: "one threshold",
    "DAG, t = 9": "DAG, t = 9",
    "DAG, t = 3": "DAG, t = 3",
    "forward selection": "forward selection",
    "TEFE, gap": "TEFE, gap",
    "LightGBM with costs": "LightGBM",
    "CSTC": "CSTC",
    f"{OURS}, routed": "itself, routed",
}
_BRIEF = (0.1, 0.2, 0.4, 0.7)


def brief(results: dict[str, Any]) -> str:
    """Return by how much ours is ahead under mean cost, with the seeds of each cell."""
    at = [SHARES.index(share) for share in _BRIEF]
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
    return "\n".join(lines)


def _ahead_of(entry: dict | None, at: list[int]) -> str:
    if entry is None or "ours ahead by" not in entry:
        return "–"
    ahead = " / ".join(f"{1000 * entry['ours ahead by'][k]:+z.0f}" for k in at)
    return f"{ahead} ({len(entry['seeds'])})"


def with_brief(page: str, results: dict[str, Any]) -> str:
    """Return a page with the table between its two marks written anew."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{brief(results)}\n{_END}{after}"
