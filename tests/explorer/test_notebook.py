"""The app is the last line of a notebook cell."""

import nbformat
import pytest
from nbclient import NotebookClient

CELLS = [
    "import explorer\napp = explorer.app()\napp",
    "import asyncio\n"
    "state = app._page_parts('frontier').state\n"
    "for _ in range(1200):\n"
    "    if state.traces and all(t.is_complete for t in state.traces.values()):\n"
    "        break\n"
    "    await asyncio.sleep(0.1)\n"
    "sorted(state.traces), state.chosen().reason",
]


@pytest.mark.slow
def test_the_app_works_in_a_notebook_cell():
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in CELLS]
    )
    NotebookClient(notebook, timeout=180, kernel_name="python3").execute()
    shown = [output for output in notebook.cells[0].outputs if "data" in output]
    assert any("text/html" in output["data"] for output in shown)
    (answer,) = (
        output
        for output in notebook.cells[1].outputs
        if output["output_type"] == "execute_result"
    )
    assert "'acafh'" in answer["data"]["text/plain"]
    assert "'budget'" in answer["data"]["text/plain"]


def test_a_cell_can_be_run_again():
    import explorer
    from explorer.app import Explorer

    assert callable(explorer.app)
    assert Explorer.__module__ == "explorer.app"
