"""In JupyterLab a cell shows the editor, or the whole app, and both are alive."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TOKEN = "drawn"
EDITOR = [
    "import explorer\n"
    "from solvers import FeatureHypergraph\n"
    "graph = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [3.0, 1.0],\n"
    "    ('peak', 'centroid', 'mean'), ('fft', 'sum'))\n"
    "editor = explorer.HypergraphEditor(graph)\n"
    "editor",
    "print('drawn:', *editor.hypergraph.features)",
]
# Small data: a kernel computes and talks to its browser on one thread.
APP = [
    "import explorer\n"
    "from explorer.session.state import SessionState, bundled\n"
    "from panel.viewable import MimeRenderMixin\n"
    "heard, listen = set(), MimeRenderMixin._on_msg\n"
    "def note(self, ref, manager, message):\n"
    "    heard.update(e.get('attr') for e in message['content']['events'])\n"
    "    listen(self, ref, manager, message)\n"
    "MimeRenderMixin._on_msg = note\n"
    "explorer.app(session=SessionState(dataset=bundled('breast_cancer')))",
    "print('heard:', 'value' in heard, 'text' in heard)",
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab on a free port, with a notebook; its address."""
    import nbformat  # it takes seconds, in each worker that only collects this file

    folder = tmp_path_factory.mktemp("lab")
    (folder / "shown").mkdir()
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in (*EDITOR, *APP)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, folder / "shown" / "both.ipynb")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [
        f"--ServerApp.port={port}",
        f"--IdentityProvider.token={TOKEN}",
        f"--ServerApp.root_dir={folder / 'shown'}",
        "--ServerApp.open_browser=False",
        "--ServerApp.allow_root=True",
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    kinds = ("CONFIG", "RUNTIME", "DATA")
    homes = {f"JUPYTER_{kind}_DIR": str(folder / kind) for kind in kinds}
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options],
        env={**os.environ, **homes},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}/"
    try:
        wait_for(address)
        yield f"{address}lab/tree/both.ipynb?token={TOKEN}"
    finally:
        process.terminate()
        process.wait(timeout=60)


def wait_for(address, seconds=180):
    deadline = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"{address}api?token={TOKEN}") as answer:
                json.load(answer)
                return
        except OSError:
            assert time.monotonic() < deadline, "JupyterLab does not answer"
            time.sleep(0.2)


@pytest.fixture(scope="module")
def notebook(lab, browser):
    """The notebook, its kernel at rest and no cell run yet."""
    elsewhere = []
    host = lab.split("/")[2]

    def note(request):
        address = request.url
        if not (address.startswith(("data:", "blob:")) or f"//{host}/" in address):
            elsewhere.append(address)

    page = browser.new_page(viewport={"width": 1440, "height": 1100})
    page.on("request", note)
    page.set_default_timeout(180_000)
    page.goto(lab)
    page.locator(".jp-Notebook .jp-CodeCell").first.click()
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for()
    yield page
    page.close()
    assert not elsewhere, elsewhere


def run(page, k):
    """Run a cell, unless it has run."""
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(k)
    # While JupyterLab still puts its windows in order, a key may be lost.
    prompt, begun = cell.locator(".jp-InputPrompt"), re.compile(r"\[(\d+|\*)\]:")
    for _ in range(60):
        if begun.fullmatch(prompt.inner_text().strip()):
            break
        cell.locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        with suppress(AssertionError):
            expect(prompt).to_have_text(begun, timeout=1000)
    return page


def test_a_drawing_in_a_cell_gives_back_what_was_drawn(notebook):
    page = run(notebook, 0)
    page.get_by_role("option", name="Feature peak").wait_for()
    page.get_by_role("button", name="Add a feature").click()
    page.get_by_role("option", name="Feature x1").wait_for()
    run(page, 1)
    page.get_by_text("drawn: peak centroid mean x1").wait_for()


@pytest.fixture(scope="module")
def app(notebook):
    """The notebook with the app; what the cell below says is said once."""
    return run(notebook, 2)


def test_the_app_in_a_cell_computes_and_has_its_icons(app):
    best = app.get_by_role("status").filter(has_text="best within the budget")
    best.wait_for()
    # A word in place of an icon is as wide as a word.
    icon = app.locator(".material-icons").first.element_handle()
    is_narrow = "node => node.scrollWidth <= 1.5 * node.clientWidth"
    app.wait_for_function(is_narrow, arg=icon)


def test_the_kernel_of_an_app_in_a_cell_is_not_told_what_it_said(app):
    page, summary = app, app.locator(".summary")
    page.get_by_role("slider", name="Runtime budget").press("End")
    summary.filter(has_text="best within the budget").wait_for()
    told = summary.inner_text()
    # Whatever is best costs something, and at the slider's start nothing may.
    page.get_by_role("slider", name="Runtime budget").press("Home")
    expect(summary).not_to_have_text(told, timeout=60_000)
    run(page, 3)
    # The slider is what the person moved; the text is the kernel's answer.
    page.get_by_text("heard: True False").wait_for()
