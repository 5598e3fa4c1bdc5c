"""Public names say what they take: numpydoc, with an empty list of exceptions."""

import inspect

from numpydoc.validate import validate

import solvers
from solvers import all_methods
from tests.each import each

# No docstring; a parameter undocumented, unknown or without a type.
CODES = {"GL08", "PR01", "PR02", "PR04"}


def public():
    named = [getattr(solvers, name) for name in solvers.__all__]
    found = [*named, *all_methods().values()]
    return sorted(
        {
            f"{one.__module__}.{one.__qualname__}"
            for one in found
            if inspect.isclass(one) or inspect.isfunction(one)
        }
    )


@each("name", public())
def test_public_names_are_documented(name):
    errors = [error for error in validate(name)["errors"] if error[0] in CODES]
    assert not errors, errors
