"""The page that a model leaves as: it decides as the estimator does, from disk."""

import re

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from sklearn.pipeline import Pipeline

from solvers import FeatureHypergraph, all_methods, split_dataset
from solvers.datasets import from_frame
from solvers.deploy import policy_from, to_html
from tests.deploy.models import fitted
from tests.ui.wcag import TAGS

pytestmark = pytest.mark.browser

MODELS = [
    *("l1, by name", "tefe", "csdt", "random_forest", "neural_network"),
    *("tefe, classes", "csnb, classes", "dag", "hypergraph cascade, expanded"),
    "hypergraph cascade, classes",
]
HOSTILE = '</script><img src=x onerror="faults.push(1)">'
# Decides about a row; what was read is noted.
DECIDE = """rows => rows.map(row => {
    const read = new Set();
    const said = decide(policy, j => { read.add(j); return row[j]; });
    return [said.label, said.scores, [...read]];
})"""


@pytest.mark.parametrize("name", MODELS)
def test_its_script_decides_as_the_estimator_does(name, opened):
    model, X, said = fitted(name)
    columns = [model.hypergraph.features.index(f) for f in policy_from(model).features]
    page = opened(to_html(model))
    found = page.evaluate(DECIDE, X[:, columns].tolist())
    labels, scores, read = zip(*found, strict=True)
    assert list(labels) == said.labels.tolist()
    want = said.scores.reshape(len(X), -1)
    assert np.allclose(np.array(scores), want, 1e-9, 1e-9)
    for i, places in enumerate(read):
        assert {columns[j] for j in places} == set(np.flatnonzero(said.acquired[i]))


def test_it_asks_for_one_test_at_a_time_by_keyboard_and_says_why_it_stops(opened):
    model, X, said = fitted("tefe")
    # Of the rows that need a second test, the cheapest.
    row = np.lexsort((said.cost, said.acquired.sum(axis=1) < 2))[0]
    page = opened(to_html(model, notes=["Test F1 0.93."]))
    page.locator("#value").focus()
    asked = []
    while page.locator("#ask").is_visible():
        asked.append(page.inner_text("#name"))
        place = model.hypergraph.features.index(asked[-1])
        page.keyboard.type(repr(float(X[row, place])))
        page.keyboard.press("Enter")
    names = np.array(model.hypergraph.features)
    assert set(asked) == set(names[said.acquired[row]])
    assert page.inner_text("#label") == said.labels[row]
    assert f"{said.cost[row]:.4g} ms of at most" in page.inner_text("#total")
    assert "sure enough" in page.inner_text("#why")
    assert page.locator("#bill tr").count() == len(asked) >= 2
    assert "no medical device" in page.inner_text("footer")
    assert "Test F1 0.93." in page.inner_text("footer")
    assert page.evaluate("document.documentElement.scrollWidth") == 420
    page.get_by_text("Take back").click()
    assert page.inner_text("#name") == asked[-1]


def test_what_cannot_be_used_is_answered_by_a_sentence(opened):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 1))
    plain = all_methods()["l1"](alpha=0.0).fit(X, X[:, 0] > 0)
    page = opened(to_html(plain))
    for text in ("", "1e999"):
        page.fill("#value", text)
        page.keyboard.press("Enter")
        assert "Give a finite number for x0: training" in page.inner_text("#odd")
        assert page.locator("#ask").is_visible()
    page.fill("#value", "2")
    page.keyboard.press("Enter")
    assert page.inner_text("#label") == "true"
    page.click("#again")
    assert page.inner_text("#odd") == ""
    days = pd.date_range("2021-01-01", periods=80)
    frame = pd.DataFrame({"seen": days, "ill": days.month > 1})
    encoder, model = pipeline_of(frame)
    page = opened(to_html(Pipeline([("columns", encoder), ("model", model)])))
    page.evaluate("spot('value').value = '12024-01-01T00:00'")
    page.click("#ask button >> nth=0")
    assert "Give a day of the calendar for seen, or say" in page.inner_text("#odd")
    page.click("#unknown")
    row = pd.DataFrame({"seen": [pd.NaT]})
    want = model.predict(encoder.transform(row))[0]
    assert page.inner_text("#label") == str(want).lower()
    page.click("#again")
    page.evaluate("spot('value').value = '1968-01-01T00:00'")
    page.click("#ask button >> nth=0")
    assert "1968-01-01T00:00, far from all that training" in page.inner_text("#bill")


def pipeline_of(frame):
    data = from_frame(frame, "ill")
    split = split_dataset(data)
    model = all_methods()["l1"](split.encoder.encoded_hypergraph(data.hypergraph))
    return split.encoder, model.fit(split.X("train"), split.y("train"))


@pytest.mark.parametrize("name", ["tefe", "csdt", "hypergraph cascade, classes"])
def test_what_its_picture_charges_along_the_way_is_the_bill(name, opened):
    model, X, said = fitted(name)
    row = int(np.argmax(said.cost))
    features = policy_from(model).features
    page = opened(to_html(model))
    while page.locator("#ask").is_visible():
        place = model.hypergraph.features.index(page.inner_text("#name"))
        page.fill("#value", repr(float(X[row, place])))
        page.click("#ask button >> nth=0")
    passed = page.locator("#picture li.passed > span").all_inner_texts()
    told = [re.search(r"\[([^ ]+) ms\]$", text) for text in passed]
    charged = [float(found[1]) for found in told if found]
    assert 2 <= len(charged) <= len(features)
    assert sum(charged) == pytest.approx(said.cost[row], rel=2e-3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_keeps_the_rules_of_access(scheme, opened):
    page = opened(to_html(fitted("csdt")[0]))
    page.emulate_media(color_scheme=scheme)
    options = {"runOnly": {"type": "tag", "values": TAGS}}
    found = Axe().run(page, options=options).response["violations"]
    assert [rule["id"] for rule in found] == []


def test_hostile_names_stay_text(opened):
    names = [HOSTILE, "__proto__", "${1}", "<!--", "\u2028'"]
    X = np.random.default_rng(0).standard_normal((80, 5))
    prices = FeatureHypergraph(np.eye(5), np.ones(5), names, names, unit=HOSTILE)
    y = np.where(X.sum(axis=1) > 0, HOSTILE, "<b>no</b>")
    model = all_methods()["l1"](prices, alpha=0.0).fit(X, y)
    page = opened(to_html(model, title=HOSTILE, notes=[HOSTILE]))
    found = page.evaluate(DECIDE, X.tolist())
    assert [label for label, _, _ in found] == model.predict(X).tolist()
    assert page.inner_text("h1") == page.title() == HOSTILE
    assert page.locator("img, b").count() == 0
    assert page.inner_text("#name") == HOSTILE
