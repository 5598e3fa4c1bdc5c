"""Values are one short line, and in a notebook small tables of escaped text."""

from html.parser import HTMLParser

import numpy as np

from solvers import Dataset, FeatureHypergraph, Frontier, all_datasets
from solvers.values.notebook_table import MOST_ROWS
from tests.each import each
from tests.frontier.test_frontier import point

HOSTILE = "<script>alert(1)</script>" * 9


class Parts(HTMLParser):
    """The tags and the texts of some HTML."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, attrs))

    def handle_data(self, data):
        self.texts.append(data)


def values():
    rng = np.random.default_rng(0)
    names = [f"{HOSTILE}{j}" for j in range(30)]
    prices = FeatureHypergraph.independent(rng.random(30), names, unit="<ms>")
    labels = np.array([HOSTILE, "b", "c\u202e"])[np.arange(60) % 3]
    data = Dataset(HOSTILE, rng.standard_normal((60, 30)), labels, prices)
    steps = [point(k, k / 40, method=HOSTILE) for k in range(40)]
    return {"data": data, "prices": prices, "points": Frontier(steps)}


@each("name", ["data", "prices", "points"])
def test_a_value_is_one_short_line_and_a_small_table(name):
    value = values()[name]
    assert len(repr(value)) < 600
    assert repr(value).isprintable()
    found = Parts(value._repr_html_())
    allowed = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
    assert {tag for tag, _ in found.tags} <= allowed
    assert not any(attrs for _, attrs in found.tags)
    assert found.texts[0] == repr(value)
    assert [tag for tag, _ in found.tags].count("tr") <= MOST_ROWS + 1
    assert all(text.isprintable() for text in found.texts)


def test_they_say_how_much_there_is():
    data = all_datasets()["breast_cancer"]()
    assert repr(data) == (
        "Dataset('breast_cancer', 569 rows, 30 features, classes 'benign', "
        "'malignant', total cost 51.6 ms)"
    )
    assert "<td>malignant</td><td>212</td><td>positive</td>" in data._repr_html_()
    assert "And 62 cheaper ones." in data.hypergraph._repr_html_()
    traced = Frontier([point(1, 0.9), point(2, 0.8), point(3, 0.95)])
    assert repr(traced) == "Frontier(3 points of 'm', f1 against mean cost)"
    rows = "<tr><td>m</td><td>1.00</td><td>0.900</td><td>0.900</td><td>1</td></tr>"
    assert f"<tbody>{rows}<tr><td>m</td><td>3.00</td>" in traced._repr_html_()
    assert repr(Frontier([])) == "Frontier(0 points, f1 against mean cost)"


def test_a_frontier_whose_points_lack_what_is_charged_says_so():
    traced = Frontier([point(1, 0.9)], charge="one_row")
    assert "How long m decides was not measured" in traced._repr_html_()
