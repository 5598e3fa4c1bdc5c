"""An extractor is installed where all that it needs is."""

from dataclasses import replace

import pytest

from solvers.datasets.extractors import all_extractors


@pytest.mark.parametrize(
    ("modules", "is_there"),
    [((), True), (("numpy",), True), (("numpy", "no_such_module"), False)],
)
def test_it_is_installed_where_its_modules_are(modules, is_there):
    one = next(iter(all_extractors().values()))
    assert replace(one, modules=modules).is_installed == is_there
