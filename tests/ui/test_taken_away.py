"""What the buttons bring down runs elsewhere, and decides as the page did."""

import io
import json
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from explorer.export.files import answering
from explorer.pages.cascade.queries import RIVALS
from explorer.pages.cascade.take_away import cascade_estimator
from solvers.bayes import bundled_classifier, classifier_from_json, trim
from solvers.deploy import policy_from
from tests.deploy.test_c import answers, compiled
from tests.ui.conftest import FEW

pytestmark = [
    pytest.mark.browser,
    # A solver that stops early says so by a warning: no reason to stop the page.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

RUN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import policy
print(json.dumps([policy.decide(row).label for row in json.load(sys.stdin)]))
"""
DECIDE = "rows => rows.map(row => decide(policy, j => row[j]).label)"


@pytest.fixture(scope="module")
def watched(open_module_page):
    """One page for all tests: others are visited."""
    return open_module_page(
        f"?page=trimming&network=quiz&B=2&methods=l1&open=away{FEW}"
    )


def brought(watched, label):
    """What a button brings down."""
    with watched.page.expect_download(timeout=90_000) as download:
        watched.page.get_by_role("button", name=label).click()
    return download.value.path().read_bytes()


@pytest.fixture
def elsewhere(browser, tmp_path):
    """Press the three buttons of a page; what each file says of rows, by its form."""
    context = browser.new_context(offline=True)

    def run(watched, policy, rows):
        (tmp_path / "policy.py").write_bytes(brought(watched, "Python file"))
        ran = subprocess.run(
            [sys.executable, "-I", "-c", RUN, str(tmp_path)],
            input=json.dumps([named(policy, row) for row in rows]),
            capture_output=True,
            text=True,
            check=True,
        )
        with zipfile.ZipFile(io.BytesIO(brought(watched, "C99 (zip)"))) as archive:
            texts = {name: archive.read(name).decode() for name in archive.namelist()}
        labels = answers(compiled(tmp_path, texts), rows)[:, 0].astype(int)
        (tmp_path / "policy.html").write_bytes(brought(watched, "Offline page (HTML)"))
        page = context.new_page()
        page.goto((tmp_path / "policy.html").as_uri())
        return {
            "python": json.loads(ran.stdout),
            "c": [str(policy.classes[k]) for k in labels],
            "html": page.evaluate(DECIDE, rows.tolist()),
        }

    yield run
    context.close()


def named(policy, row):
    """A row by the names of features, in the words of those that have some."""
    return {
        name: kind.words[int(value)] if kind.words else value
        for name, kind, value in zip(
            policy.features, policy.kinds, row.tolist(), strict=True
        )
    }


def test_the_chosen_point_of_the_frontier_with_what_is_measured_of_it(
    watched, elsewhere
):
    state = watched.turn("frontier")
    watched.unfold("Take away")
    watched.until(watched.is_computed)
    model, data = answering(state.chosen().point, state.dataset), state.dataset
    policy, rows = policy_from(model), data.X[:60]
    said = elsewhere(watched, policy, rows[:, policy.places])
    want = model.predict(rows).tolist()
    assert said == {"python": want, "c": want, "html": want}
    watched.page.get_by_role("button", name="Measure C and Python").click()
    told = watched.page.get_by_role("status").filter(has_text="The Python file")
    told.wait_for()
    assert "of flash and" in told.inner_text() or "install" in told.inner_text()
    with zipfile.ZipFile(io.BytesIO(brought(watched, "C99 (zip)"))) as archive:
        readme = archive.read("README.md").decode()
    missing = 3 * (shutil.which("arm-none-eabi-gcc") is None)
    missing += shutil.which("valgrind") is None
    assert readme.count("not measured") == missing
    with zipfile.ZipFile(
        io.BytesIO(brought(watched, "Everything (bundle)"))
    ) as archive:
        assert archive.testzip() is None
        assert archive.namelist()


def test_the_cascade_at_its_threshold(watched, elsewhere):
    state = watched.turn("cascade")
    watched.unfold("Details", "Take away")
    watched.until(lambda: state.cascade is not None and not RIVALS.missing(state))
    region = watched.page.get_by_role("region", name="The bill of the row").first
    region.get_by_text("Already paid").wait_for()
    result = state.threshold_result()
    model, rows = cascade_estimator(result), result.split.X("test")[:60]
    policy = policy_from(model)
    said = elsewhere(watched, policy, rows[:, policy.places])
    want = model.predict(rows).tolist()
    assert said == {"python": want, "c": want, "html": want}


def test_the_best_trimming_and_its_network(watched, elsewhere):
    state = watched.turn("trimming")
    watched.unfold("Take away")
    watched.until(lambda: state.log is not None and state.log.is_complete)
    best = trim(bundled_classifier("quiz"), 2)
    trimmed = bundled_classifier("quiz").trimmed(list(best.features), best.threshold)
    policy = policy_from(trimmed)
    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    said = elsewhere(watched, policy, rows[:, policy.places].astype(float))
    want = [policy.classes[int(one)] for one in trimmed.decide(rows)]
    assert said == {"python": want, "c": want, "html": want}
    text = brought(watched, "Trimmed classifier (JSON)").decode()
    taken = classifier_from_json(text)
    assert taken.features == ("Q1", "Q2")
    assert taken.threshold in best.threshold_interval
