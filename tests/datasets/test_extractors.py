"""An extractor that comes along is traced, measured, verified, and runs on all rows."""

import dataclasses
from dataclasses import replace

import numpy as np
import pytest

from solvers.datasets import all_datasets, dataset_options
from solvers.datasets.extractors import all_extractors, measuring_extractor
from solvers.datasets.makers.digit_images import IMAGE_FEATURES
from solvers.errors import PipelineError
from tests.each import each


@each(
    ("modules", "is_there"),
    [((), True), (("numpy",), True), (("numpy", "no_such_module"), False)],
)
def test_it_is_installed_where_its_modules_are(modules, is_there):
    one = next(iter(all_extractors().values()))
    assert replace(one, modules=modules).is_installed == is_there


N = 40


def few(name):
    """An extractor with fewer samples, of every kind."""
    one = all_extractors()[name]
    samples, labels = one.raw()
    step = len(samples) // N
    return dataclasses.replace(one, raw=lambda: (samples[::step], labels[::step]))


@pytest.fixture(scope="module")
def steps():
    return list(measuring_extractor(few("by_hand")))


@each("name", all_extractors())
def test_each_computes_a_data_set_that_can_be_made_anew(name):
    one = all_extractors()[name]
    knobs = dataset_options(one.dataset)
    assert one.dataset in all_datasets()
    for option, value in one.options.items():
        knobs[option].check(option, value)


def test_it_goes_forward_to_a_data_set_at_measured_costs(steps):
    shares = [step.share for step in steps]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    stages = list(dict.fromkeys(step.stage for step in steps))
    assert stages[0] == "one plain run"
    assert stages[-4:] == ["traced", "verifying", "extracting all samples", "done"]
    found = steps[-1].found
    assert found.dataset.costs_note.startswith("Measured here")
    images = few("by_hand").raw()[0]
    plain = [[function(one) for function in IMAGE_FEATURES.values()] for one in images]
    assert found.dataset.X == pytest.approx(np.array(plain), rel=1e-5, abs=1e-6)


def test_it_knows_what_is_shared_and_verifies_few_columns_to_all(steps):
    found = steps[-1].found
    enlarged = next(one for one in found.shared if one.component == "enlarged")
    assert (len(enlarged.features), enlarged.calls) == (17, 17)
    assert found.n_verified[0] == 1
    assert found.n_verified[-1] == found.dataset.n_features
    assert (found.verification.measured > 0).all()


def test_a_pipeline_says_itself_what_it_shares():
    *_, last = measuring_extractor(few("sklearn"))
    scale = next(one for one in last.found.shared if one.component == "scale")
    assert len(scale.features) == last.found.dataset.n_features
    assert all("remembers samples" in note for note in last.found.notes)


@pytest.mark.filterwarnings("ignore")
def test_tsfel_can_be_left_at_any_time():
    pytest.importorskip("tsfel")
    pytest.importorskip("pyts")
    steps = measuring_extractor(few("tsfel"))
    next(steps)
    assert next(steps).seconds_left is not None
    steps.close()
    assert next(steps, None) is None


def test_what_is_not_installed_names_its_extra(monkeypatch):
    one = dataclasses.replace(few("catch22"), modules=("no_such_module",))
    assert not one.is_installed

    def missing():
        raise PipelineError("install thriftscope[catch22].")

    one = dataclasses.replace(one, features=missing)
    with pytest.raises(PipelineError, match="catch22"):
        next(measuring_extractor(one))
