"""On every bundled data set: the exported page decides as the estimator, in Chromium.

Rows are those of the other exports' test: drawn anew, with gaps and unknown words.
"""

import json
import math

import numpy as np
import pytest

from solvers import all_datasets
from solvers.deploy import to_html
from solvers.errors import DeployError
from tests.deploy.models import SETTINGS
from tests.deploy.test_every_dataset import N_ROWS, decided, quick_method

pytestmark = pytest.mark.browser

# One evaluation for all rows, and one text each way: of nested lists the driver's own
# way of telling takes most of the time. Gaps are null in JSON, and NaN on the page.
DECIDE = """text => JSON.stringify(JSON.parse(text).map(row => {
    const read = new Set();
    const said = decide(policy, j => { read.add(j); return row[j] ?? NaN; });
    return [said.label, said.scores, [...read], costOf(paidBy([...read]))];
}))"""


def as_json(rows):
    told = [[None if math.isnan(x) else x for x in row] for row in rows.tolist()]
    return json.dumps(told)


def agrees(name, method, n_rows, opened):
    whole, _, rows, said, are_scores, bits = decided(name, method, n_rows)
    try:
        page = opened(to_html(whole))
    except DeployError as error:
        if "300 kB are the most" not in str(error):
            raise
        pytest.skip(str(error))
    found = json.loads(page.evaluate(DECIDE, as_json(rows)))
    labels, scores, read, costs = zip(*found, strict=True)
    assert list(labels) == said.labels.tolist()
    assert are_scores(np.array(scores))
    assert np.allclose(costs, said.cost)
    for i in range(n_rows) if bits is not None else ():
        assert sorted(read[i]) == np.flatnonzero(bits[i]).tolist()


@pytest.mark.parametrize("name", sorted(all_datasets()))
def test_the_page_decides_as_the_estimator(name, opened):
    agrees(name, quick_method(name), 200, opened)


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(SETTINGS))
@pytest.mark.parametrize("name", sorted(all_datasets()))
def test_a_thousand_rows_are_decided_as_the_estimator_does(name, method, opened):
    agrees(name, method, N_ROWS, opened)
