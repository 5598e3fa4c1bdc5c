"""What is called in place of a function and passes for it."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

__all__ = ["Double", "original_of", "standing_for"]


class Double:
    """Is called in place of a function; code can tell them apart by `is` alone.

    It is equal to the function and as hashable, an instance of its class, and has its
    attributes: those that are read and those that are set are the function's own. It is
    copied and pickled as the function.

    `original`: the function.
    `call`: what is called.
    """

    __slots__ = ("_call", "_original")

    def __init__(self, original: Any, call: Callable[..., Any]) -> None:
        object.__setattr__(self, "_original", original)
        object.__setattr__(self, "_call", call)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._original, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._original, name)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        is_method = instance is not None and hasattr(self._original, "__get__")
        return MethodType(self, instance) if is_method else self

    def __eq__(self, other: object) -> bool:
        return bool(self._original == original_of(other))

    def __hash__(self) -> int:
        return hash(self._original)

    def __repr__(self) -> str:
        return repr(self._original)

    def __reduce__(self) -> tuple[Any, ...]:
        return original_of, (self._original,)

    __class__ = property(lambda self: type(self._original))
    __doc__ = property(lambda self: self._original.__doc__)
    __module__ = property(lambda self: self._original.__module__)


def standing_for(original: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make what is called in place of a function its double."""
    return lambda call: Double(original, call)


def original_of(function: Any) -> Any:
    """Return what a double stands for, and anything else as it is."""
    is_double = type(function) is Double
    return object.__getattribute__(function, "_original") if is_double else function
