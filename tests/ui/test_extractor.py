"""The whole way: an extractor is traced, opened, budgeted, taken away and run."""

import dataclasses
import json
import subprocess
import sys

import numpy as np
import pytest

from explorer.pages.problem import extractor
from solvers.datasets.extractors import all_extractors
from solvers.datasets.makers.digit_images import digit_images
from tests.ui.wcag import broken_rules

pytestmark = [
    pytest.mark.browser,
    # A solver that stops early says so by a warning: no reason to stop the page.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]
FEW = 400  # images
#: Runs what was taken away, where nothing of ours is, and counts who is called.
ELSEWHERE = """
import json, sys
from collections import Counter
import numpy as np
import policy

called = Counter()

def count(frame, event, _):
    if event == "call" and frame.f_code.co_filename.endswith("policy.py"):
        called[frame.f_code.co_name] += 1

answers = []
for image in np.load("images.npy"):
    sys.setprofile(count)
    decision = policy.decide_raw(image)
    sys.setprofile(None)
    answers.append([str(decision.label), decision.cost])
print(json.dumps({"answers": answers, "called": called,
                  "ours": [name for name in sys.modules if name == "solvers"]}))
"""


@pytest.fixture
def small_page(open_page, monkeypatch):
    """The Problem page with a small drawing, and an extractor with a few samples."""
    by_hand = all_extractors()["by_hand"]
    images, labels = by_hand.raw()
    few = dataclasses.replace(by_hand, raw=lambda: (images[:FEW], labels[:FEW]))
    monkeypatch.setattr(extractor, "all_extractors", lambda: {"by_hand": few})
    return open_page(
        "?page=problem&data=digit_images&methods=static_prefix&open=extractor"
    )


def test_traced_opened_budgeted_taken_away_and_run_within_the_budget(
    small_page, tmp_path
):
    watched = small_page
    page, session = watched.page, watched.explorer.session
    before = session.dataset
    # Cancelled first: nothing has changed.
    page.get_by_role("button", name="Trace, measure and verify").click()
    page.get_by_role("button", name="Cancel").filter(visible=True).click()
    page.get_by_role("button", name="Trace, measure and verify").click()
    page.get_by_role("button", name="Open as the data set").wait_for()
    assert session.dataset is before
    assert broken_rules(watched) == {}
    page.get_by_text("they would compute it 17 times").first.wait_for()
    page.get_by_role("button", name="Open as the data set").click()
    watched.until(lambda: session.dataset.costs_note.startswith("Measured here"))
    # What is shared is lit, with the sentence, and brought into view.
    sentence = page.get_by_text("enlarged: ").filter(has_text="behind 17 features")
    sentence.first.wait_for()
    lit = page.locator("svg.drawing .node.component.chosen")
    lit.wait_for()
    watched.until(lambda: lit.bounding_box()["y"] >= 0)
    graph = session.dataset.hypergraph

    page.get_by_text("Frontier", exact=True).click()
    watched.until(watched.is_computed)
    budget = round(graph.total_cost / 2)
    field = page.get_by_label("Budget (µs)")
    field.fill(str(budget))
    field.press("Enter")
    watched.until(lambda: watched.state.budget == budget)
    watched.until(lambda: watched.state.chosen() is not None)
    chosen, budget = watched.state.chosen().point, watched.state.budget
    watched.unfold("Take away")
    with page.expect_download() as download:
        page.get_by_role("button", name="Python file").click()

    (tmp_path / "policy.py").write_bytes(download.value.path().read_bytes())
    images = digit_images()[0][:20]
    np.save(tmp_path / "images.npy", np.array(images))
    ran = subprocess.run(
        [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, '.'){ELSEWHERE}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
    )
    told = json.loads(ran.stdout)
    assert told["ours"] == []
    costs = [cost for _, cost in told["answers"]]
    assert max(costs) <= budget * (1 + 1e-9)
    assert costs == pytest.approx([graph.cost(chosen.features)] * 20)
    assert told["called"]["enlarged"] == 20  # once an image
    rows = session.dataset.X[:20]
    assert [label for label, _ in told["answers"]] == chosen.model.predict(
        rows
    ).tolist()
