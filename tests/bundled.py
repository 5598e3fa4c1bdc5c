"""Data sets whose rows are on every machine that runs the tests."""

from solvers.datasets import all_datasets, dataset_facts

BUNDLED = {
    name: make
    for name, make in all_datasets().items()
    if dataset_facts(name).is_bundled
}
