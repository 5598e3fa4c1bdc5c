"""One label for all, and the truth: what they pay is known."""

import pytest

from solvers.errors import DataError
from solvers.markov import ConstantLabelClassifier, TruthClassifier


def test_baselines(grown):
    assert TruthClassifier().fit(grown).predict(grown[0]).tolist() == list(
        grown[0].labels
    )
    ones = ConstantLabelClassifier(1).fit(grown).predict(grown[0])
    assert ones.tolist() == [1] * 120


def test_a_constant_label_exists(golden):
    with pytest.raises(DataError, match="no label 2; labels run from 0 to 1"):
        ConstantLabelClassifier(2).predict(golden)
