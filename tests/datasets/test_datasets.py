"""Every data set is found by itself, is sound and is told about."""

import inspect

import numpy as np
import pytest

from solvers import split_dataset
from solvers.costs.interchange.sources import sample_data
from solvers.datasets import Dataset, all_datasets, dataset_facts, dataset_options
from solvers.errors import DataError
from tests.bundled import BUNDLED
from tests.each import each

NAMES = ("breast_cancer", "gaussian", "published", "signals", "sources")


def test_makers_are_found_by_name():
    assert set(NAMES) <= set(all_datasets())
    assert list(all_datasets()) == sorted(all_datasets())


@each("name", BUNDLED)
def test_default_data_set_is_sound(name):
    data = BUNDLED[name]()
    assert isinstance(data, Dataset)
    assert data.name == name
    assert data.positive in data.classes or len(data.classes) > 2
    assert data.source.endswith(".")
    assert data.costs_note.endswith(".")
    assert len(np.unique(data.X, axis=0)) > 0.99 * data.n_samples
    assert split_dataset(data).rows["test"].size > 40
    facts = dataset_facts(name)
    assert (facts.n_rows, facts.n_classes) == (data.n_samples, len(data.classes))
    assert facts.licence
    assert facts.shows


@each("name", all_datasets())
def test_options_are_parameters_and_allow_the_defaults(name):
    parameters = inspect.signature(all_datasets()[name]).parameters
    options = dataset_options(name)
    assert set(options) == set(parameters) - {"random_state", "path"}
    for parameter, knob in options.items():
        knob.check(parameter, parameters[parameter].default)


@each("name", all_datasets())
def test_the_readme_tells_about_every_data_set(name):
    assert f"## {name}" in sample_data("README.md").read_text("utf-8")


def test_options_of_an_unknown_data_set_are_refused():
    with pytest.raises(DataError, match="There is no data set 'sginals'; choose from"):
        dataset_options("sginals")
