"""The tables of the deployment page.

Flags are those of the command, limits those of the code, and sizes those that
``benchmarks/results/load.json`` holds: none is typed by hand.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

from docs.parts import table, with_part
from explorer.commands.cli import main as thriftscope
from explorer.pages.structured import scenes as structured_scenes
from explorer.pages.trimming import controls as trimming_controls
from explorer.session import own_files
from solvers.costs import interchange
from solvers.datasets.table import bounds

__all__ = ["PAGE", "filled"]

PAGE = Path(__file__).parent / "deployment.md"
RESULTS = Path(__file__).parents[1] / "benchmarks" / "results" / "load.json"
MEGABYTE = 1024 * 1024
BEHIND_NGINX = "people with data of their own, behind nginx"
# Title of a column, and part of the results.
PEOPLE = (
    ("bundled data", "people"),
    ("own data", "people with data of their own"),
    ("own data, two processes behind nginx", BEHIND_NGINX),
)
CLUSTER = "people with data of their own, and a cluster"
NOT_MEASURED = (
    "No load has been measured on a quiet machine yet, so there are no numbers here: "
    "count on one process for each core, and watch memory."
)
CLUSTER_NOT_MEASURED = (
    "What it brings is not measured yet. It was tried with 25 people with data of "
    "their own on two cores that server, people, two workers and others shared, a "
    "worker killed on the way: pages went on being answered, slower than by a server "
    "alone on a quiet machine, and six moves of a hundred had no answer after 10 s. "
    "Put workers on other machines, and measure: "
    "`python -m benchmarks.load --workers 2`.\n"
)


def filled(text: str) -> str:
    """Return the page with its tables as they should be."""
    text = with_part(text, "flags", f"```text\n{_help()}```")
    text = with_part(text, "limits", _limits())
    text = with_part(text, "sizing", _sizing())
    return with_part(text, "cluster", _cluster())


def _help() -> str:
    """Return what ``thriftscope serve --help`` prints, 80 columns wide."""
    said, columns = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        thriftscope(["serve", "--help"])
    os.environ.pop("COLUMNS")
    if columns is not None:
        os.environ["COLUMNS"] = columns
    return said.getvalue()


def _limits() -> str:
    return table(
        ("what", "at most"),
        (
            (
                "a table, a hypergraph or costs, on the screen",
                f"{own_files.MAX_MEGABYTES} MB",
            ),
            (
                "a table, after reading",
                f"{bounds.MAX_COLUMNS:,} columns, {bounds.MAX_CELLS:,} cells",
            ),
            (
                "a graph or readings of one's own",
                f"{structured_scenes.MAX_MEGABYTES} MB a file",
            ),
            (
                "a Bayesian network",
                f"{trimming_controls.MAX_FILE_BYTES // MEGABYTE} MB",
            ),
            (
                "a hypergraph, in Python",
                f"{interchange.MAX_BYTES // MEGABYTE} MB, unless `max_bytes` says more",
            ),
            ("one websocket message", "24 MB; uploads come in pieces of 10 MB"),
        ),
    )


def _sizing() -> str:
    if not RESULTS.exists():
        return NOT_MEASURED
    measured = json.loads(RESULTS.read_text("utf-8"))
    people, open_pages = measured["people"], measured["open sessions"]
    memory = measured["soak"]["memory after as many sessions, MB"]
    n_pages, opening = open_pages["sessions"], people["page open to document, s"]
    # Each part says its own machine since parts can be measured alone.
    cores = (measured.get("machine") or people["machine"])["cores"]
    title = f"one process, {cores} cores"
    rows = [
        (
            f"{people['people']} people at once, page asked for to page sent",
            f"{opening['median']:.1f} s in the middle, {opening['p95']:.1f} s for 95 %",
        ),
        ("memory of a process without a page", f"{open_pages['before, MB']:.0f} MB"),
        (
            f"with {n_pages} pages open",
            f"{open_pages['all open, MB']:.0f} MB: "
            f"{open_pages['a session, MB']:.1f} MB each",
        ),
        ("pages opened and closed: memory", _course(memory)),
    ]
    return (
        table((title, "measured"), rows)
        + f"\nThe same {people['people']} people, each moving one slider about once a "
        "second in their first minute: how long until the picture changes, or the "
        "answer where the picture stays, in the middle and for 95 %. Their own program "
        "takes its share of the same cores.\n\n"
        + table(("", *_people(measured)), _moves(measured))
        + _beside(measured)
        + "\nFrom `python -m benchmarks.load`. What is computed of bundled or "
        "generated data is kept once for all, up to about 170 MB; what is computed of "
        "a person's own data belongs to the page and goes with it. A process that "
        "answers more than one move in twenty later than after half a second has too "
        "many people: start a second one.\n"
    )


def _cluster() -> str:
    measured = json.loads(RESULTS.read_text("utf-8")).get(CLUSTER)
    if measured is None:
        return CLUSTER_NOT_MEASURED
    moves = measured["slider to first drawn change, ms"]
    windows = ("first minute", "all workers there"), ("last minute", "one killed")
    found = " and ".join(
        f"{_wait(moves[window]['all']['median'])} in the middle and "
        f"{_wait(moves[window]['all']['p95'])} for 95 % in the {window} ({there})"
        for window, there in windows
    )
    machine = measured["machine"]
    busy = machine["load before"][0]
    n_moves = sum(moves[window]["all"]["n"] for window, _ in windows)
    return (
        f"Measured (`python -m benchmarks.load --workers {measured['workers']}`): "
        f"{measured['people']} people with data of their own, "
        f"{measured['workers']} workers on the same {machine['cores']} cores as server "
        f"and people (which others used too: load {busy:g} before), a worker killed "
        f"for good after half of the time. Until the picture changed: {found}; "
        f"{measured['without an answer in 10 s']} of {n_moves} moves had none after "
        f"10 s, and workers answered {measured['questions that workers answered']} "
        "questions. On one machine a cluster takes from the server what it gives: it "
        "is for workers elsewhere.\n"
    )


def _people(measured: dict[str, Any]) -> dict[str, str]:
    """Return parts of the results that have been measured, by the title of each."""
    return {title: who for title, who in PEOPLE if who in measured}


def _moves(measured: dict[str, Any]) -> list[tuple[str, ...]]:
    windows = [
        measured[who]["slider to first drawn change, ms"]["first minute"]
        for who in _people(measured).values()
    ]
    return [
        (name if name == "all" else f"“{name}”", *(_times(w[name]) for w in windows))
        for name in windows[0]
    ]


def _beside(measured: dict[str, Any]) -> str:
    """Return what is beside one person alone, and beside a page that computes nothing.

    Empty of results that are older than the comparison.
    """
    told = []
    for title, who in _people(measured).items():
        alone = measured[who].get("p95 beside one person alone")
        if alone is None:
            return ""
        bare = measured[who]["median beside the bare page"]
        told.append(
            f"{title}: {_each(alone)} times what one person alone waits for 95 % of "
            f"moves, and in the middle {_each(bare)} times as many people on a bare "
            "page of the same sliders"
        )
    return f"\nIn the same run, by slider in this order, {'; '.join(told)}.\n"


def _each(ratios: dict[str, float]) -> str:
    return ", ".join(f"{ratio:.2g}" for ratio in ratios.values())


def _course(memory: dict[str, float]) -> str:
    """Return where the memory began, stood after the first step, and ended."""
    steps = list(memory.items())
    shown = dict([steps[0], *steps[1:2], steps[-1]])
    return ", ".join(f"{opened}: {mb:.0f} MB" for opened, mb in shown.items())


def _times(spread: dict[str, float | None]) -> str:
    return f"{_wait(spread['median'])}, {_wait(spread['p95'])}"


def _wait(milliseconds: float | None) -> str:
    return "over 10 s" if milliseconds is None else f"{milliseconds:.0f} ms"
