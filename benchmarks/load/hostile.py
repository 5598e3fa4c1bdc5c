"""``python -m benchmarks.load.hostile``: hostile files beside people at their sliders.

One person uploads files that are meant to stop everybody, one after the other, and
waits until each is read or refused; the others move their sliders. Told are what these
wait for beside each file, how late the server's loop was, and its longest callback by
what it computed: nobody is served while it runs. Before the first file people are
alone: what they wait for then, on a machine as busy, is what files are held to.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tornado.httpclient import AsyncHTTPClient

from ..machine import machine
from .hostile_files import HostileFile, hostile_files
from .loop_watch import noted as noted_since
from .person import Person
from .read_watch import readings
from .server import SERVE, server
from .sliders import move_sliders, spread
from .uploader import Uploader

RESULT = Path(__file__).parents[1] / "results" / "load_hostile.json"
QUIET = "no file"
BAR_MS = 300
LONGEST = "longest callback, ms of the loop's thread"
# Of what the server allows itself, and its children's turns
READ_SECONDS = 90.0


@dataclass(frozen=True)
class Noted:
    """Where the server's process notes what kept its loop, and what it read."""

    gaps: Path
    readings: Path

    def program(self) -> str:
        """Return what a server runs first."""
        return (
            "from benchmarks.load import loop_watch, read_watch; "
            f"loop_watch.watch({str(self.gaps)!r}); "
            f"read_watch.watch({str(self.readings)!r})"
        )


def main() -> None:
    """Measure, print and write the results."""
    options = _options()
    AsyncHTTPClient.configure(None, max_clients=200)
    files = {n: file for n, file in hostile_files().items() if options.only in n}
    with tempfile.TemporaryDirectory() as folder:
        noted = Noted(Path(folder) / "gaps.jsonl", Path(folder) / "readings.jsonl")
        with server(options.people + 2, f"{noted.program()}; {SERVE}") as (address, _):
            results = asyncio.run(_beside(address, files, noted, options))
    of_loop = [found[LONGEST] for found in results.values()]
    told = {
        "machine": machine(),
        "people": options.people,
        "seconds a file": options.seconds,
        "bar for a callback, ms": BAR_MS,
        "longest callback of all, ms": max(of_loop),
        "while a file is read": results,
    }
    text = json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False)
    options.out.write_text(text + "\n", encoding="utf-8")
    print(text)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=8, help="for each file")
    parser.add_argument("--only", default="", help="files of which this is a part")
    parser.add_argument("--out", type=Path, default=RESULT)
    return parser.parse_args()


async def _beside(
    address: str,
    files: dict[str, HostileFile],
    noted: Noted,
    options: argparse.Namespace,
) -> dict[str, dict[str, Any]]:
    contents = {name: file.content() for name, file in files.items()}
    people = [Person(address) for _ in range(options.people)]
    for person in people:
        await person.open()
    pages = sorted({file.page for file in files.values()})
    hostile = {page: Uploader(f"{address}?page={page}") for page in pages}
    for uploader in hostile.values():
        await uploader.open()
    await asyncio.gather(*(person.until_quiet(2.0) for person in people))
    finished = asyncio.Event()
    moving = [
        asyncio.create_task(move_sliders(person, k, finished.is_set))
        for k, person in enumerate(people)
    ]
    windows = [(QUIET, time.perf_counter(), time.time())]
    await asyncio.sleep(options.seconds)
    told: list[dict[str, Any]] = [{}]
    for name, file in files.items():
        windows.append((name, time.perf_counter(), time.time()))
        waited = asyncio.create_task(asyncio.sleep(options.seconds))
        n_before, _ = readings(noted.readings)
        await hostile[file.page].upload(file.label, file.name, contents[name])
        told.append(await _ending(name, noted.readings, n_before))
        await waited
    finished.set()
    moves = [move for own in await asyncio.gather(*moving) for move in own]
    await asyncio.gather(*(p.close() for p in (*people, *hostile.values())))
    by_window = _by_window(windows, moves, noted_since(noted.gaps, windows[0][2]))
    return {
        name: {**ending, **found}
        for ending, (name, found) in zip(told, by_window.items(), strict=True)
    }


async def _ending(name: str, path: Path, n_before: int) -> dict[str, Any]:
    """Return how the reading of a file ended; of several, the last."""
    deadline = time.monotonic() + READ_SECONDS
    while time.monotonic() < deadline:
        n_begun, ended = readings(path)
        if n_begun > n_before and len(ended) == n_begun:
            return ended[-1]
        await asyncio.sleep(0.1)
    raise SystemExit(f"{name} was neither read nor refused.")


def _by_window(
    windows: list[tuple[str, float, float]],
    moves: list[tuple[float, float]],
    found: list[dict[str, Any]],
) -> dict[str, dict[str, Any]]:
    """Return what people waited for and what kept the loop, from file to file."""
    ends = [*windows[1:], ("", float("inf"), float("inf"))]
    results: dict[str, dict[str, Any]] = {}
    for (name, at, clock), (_, end, clock_end) in zip(windows, ends, strict=True):
        waits = [seconds for moved, seconds in moves if at <= moved < end]
        drawn = [seconds for seconds in waits if seconds < float("inf")]
        then = [line for line in found if clock <= line["at"] < clock_end]
        longest = max(
            (line for line in then if "callback" in line),
            key=lambda line: line["callback"],
            default={"callback": 0.0, "what": "none"},
        )
        results[name] = {
            "slider to first drawn change, ms": spread(drawn, 1000.0),
            "nothing drawn in 10 s": len(waits) - len(drawn),
            "loop late, ms": _ms(
                max((line.get("late", 0.0) for line in then), default=0.0)
            ),
            LONGEST: _ms(longest["callback"]),
            "longest callback": longest["what"],
        }
    return results


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


if __name__ == "__main__":
    main()
