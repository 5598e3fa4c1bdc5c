"""Many cases in one test, where pytest takes longer for a case than the case does."""

import functools
import inspect
from contextlib import ExitStack

import pytest


def each(names, cases, ids=None):
    """Ask a test about each case in turn, as ``pytest.mark.parametrize`` would, in one.

    All cases are asked, and what fails says of which. Each has a folder, patches and
    captured output of its own; other fixtures are shared.
    """
    names = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    told = [_case(names, case, ids, k) for k, case in enumerate(cases)]

    def decorate(test):
        known = inspect.signature(test)

        @functools.wraps(test)
        def asked(*instance, **fixtures):
            failed, skipped = [], []
            for k, (name, values) in enumerate(told):
                try:
                    with ExitStack() as stack:
                        test(*instance, **_own(fixtures, k, stack), **values)
                except pytest.skip.Exception as skip:
                    skipped.append(skip)
                # Whatever fails: the other cases are asked all the same.
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001
                    error.add_note(f"of the case {name}")
                    failed.append(error)
            _tell(failed, skipped, len(told))

        left = [p for name, p in known.parameters.items() if name not in names]
        asked.__signature__ = known.replace(parameters=left)
        return asked

    return decorate


def _case(names, case, ids, place):
    """How a case is called in a failure, and its values by name."""
    name = case.id if hasattr(case, "marks") else None
    values = case.values if hasattr(case, "marks") else case
    values = [values] if len(names) == 1 and not hasattr(case, "marks") else values
    if isinstance(ids, dict | list | tuple):
        name = list(ids)[place]
    return name or repr(values), dict(zip(names, values, strict=True))


def _own(fixtures, place, stack):
    """The fixtures of one case: its own folder, patches and output."""
    own = dict(fixtures)
    if "tmp_path" in own:
        own["tmp_path"] = own["tmp_path"] / str(place)
        own["tmp_path"].mkdir()
    if "monkeypatch" in own:
        own["monkeypatch"] = stack.enter_context(pytest.MonkeyPatch.context())
    for name in own.keys() & {"capsys", "capfd"}:
        own[name].readouterr()
    return own


def _tell(failed, skipped, n_cases):
    if len(failed) == 1:
        raise failed[0]
    if failed:
        raise BaseExceptionGroup(f"{len(failed)} of {n_cases} cases failed", failed)
    if skipped and len(skipped) == n_cases:
        raise skipped[0]
