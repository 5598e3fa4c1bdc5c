"""What is given is read by what it is; names and classes may be told."""

import pytest
from sklearn.tree import DecisionTreeClassifier

from solvers.adopted.reading import read_model
from solvers.errors import DataError, DeployError

TREE = DecisionTreeClassifier().fit([[0.0, 1.0], [1.0, 1.0]], ["a", "b"])


def test_names_and_classes_are_told_once_each():
    read = read_model(TREE, ["age", "scan"], ["ill", "well"])
    assert (read.feature_names, read.classes) == (("age", "scan"), ("ill", "well"))
    assert read_model(read) is read
    with pytest.raises(DataError, match="classes has 3 names, and the model knows 2"):
        read_model(TREE, classes=[0, 1, 2])


def test_what_is_no_model_is_refused_by_name():
    with pytest.raises(DeployError, match="A dict cannot be adopted"):
        read_model({})
