"""What is installed elsewhere is whole: the app is served from the wheel alone."""

import io
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
import venv
import zipfile
from importlib.metadata import distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from explorer.export.bundle import bundle
from tests.explorer.export.test_bundle import bundled_view
from tests.explorer.serving.conftest import COLD
from tests.explorer.worlds import World, own_table
from tests.test_dependencies import needed
from tests.waiting import HANGS_SECONDS

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Python of an environment that holds the wheel and what it says it needs."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            sys.executable, "-m", "build", "--wheel", "--no-isolation",
            f"--outdir={folder}", str(ROOT),
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("thriftscope-*.whl")
    venv.create(folder / "env")
    python = folder / "env" / "bin" / "python"
    subprocess.run(
        [
            sys.executable, "-m", "pip", f"--python={python}", "install", "--quiet",
            "--no-deps", "--no-compile", "--disable-pip-version-check", str(wheel),
        ],
        check=True,
    )  # fmt: skip
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    link_what_it_needs(site)
    return python


def link_what_it_needs(site):
    """Link what the wheel requires from this environment, where it is compiled.

    That pip finds just these versions, test_dependencies holds.
    """
    (ours,) = (d for d in distributions(path=[str(site)]) if d.name == "thriftscope")
    names = set()
    for line in ours.requires:
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            names |= needed(wanted.name, wanted.extras).keys()
    for name in names:
        package = distribution(name)
        for top in {file.parts[0] for file in package.files} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(package.locate_file(top))


def elsewhere(tmp_path):
    """An environment from which the checkout cannot be imported."""
    # What one test compiled is there for the next.
    ours = {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
    return {
        "cwd": tmp_path,
        "env": {k: v for k, v in os.environ.items() if k not in ours},
    }


# What the command calls, a bundle's script and the app: in one process, since importing
# takes longer than all three.
ASKED = """
import runpy, sys
from importlib.metadata import entry_points
(command,) = entry_points(group="console_scripts", name="thriftscope")
assert command.load()(["run", "--data=heart", "--methods=l1", "--out=out"]) == 0
runpy.run_path("thriftscope_view.py", run_name="__main__")
sys.stdout.flush()
"""


def test_command_bundle_and_app_run_where_only_the_wheel_is(installed, tmp_path):
    archive = zipfile.ZipFile(io.BytesIO(bundle(bundled_view(World(own_table(200))))))
    archive.extractall(tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    flag, served = COLD
    asked = [flag, f"{ASKED}\n{served}", "serve", f"--port={port}", "--no-browser"]
    with (tmp_path / "said.txt").open("w") as said:
        server = subprocess.Popen(
            [str(installed), "-W", "ignore", *asked],
            stdout=said,
            **elsewhere(tmp_path),
        )
    try:
        page = _get(f"http://127.0.0.1:{port}/app")
    finally:
        server.terminate()
        server.wait(HANGS_SECONDS)
    assert "<title>Thriftscope</title>" in page
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
    assert (tmp_path / "out" / "estimator.skops").stat().st_size > 0
    chosen = json.loads((tmp_path / "selection.json").read_text("utf-8"))
    told = (tmp_path / "said.txt").read_text("utf-8")
    assert f"f1 {chosen['scores']['test']['f1']:.3f} on test rows" in told


def _get(address, seconds=HANGS_SECONDS):
    deadline = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return answer.read().decode()
        except OSError:
            assert time.monotonic() < deadline, "the server did not come up"
            time.sleep(0.5)
