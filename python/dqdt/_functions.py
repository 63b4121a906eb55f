"""Compiled functions of a mechanism."""

from __future__ import annotations

import collections
import keyword
from typing import Iterator

from ._dqdt import Function


def result_type(function: str, fields: list[str]) -> type:
    """The named tuple of several results; names that Python reserves end with an underscore."""
    names: list[str] = []
    for field in fields:
        name = field.lstrip("_") or "result"
        if keyword.iskeyword(name):
            name += "_"
        while name in names:
            name += "_"
        names.append(name)
    title = "".join(part.capitalize() for part in function.split("_"))
    return collections.namedtuple(title, names, rename=True)


class Functions:
    """Compiled functions, one attribute for each: `f.dqdt(t, x, u)`."""

    def __init__(self, functions: list[Function]) -> None:
        # Attributes proper: a method `__getattr__` would take longer than a small function.
        vars(self).update({function.__name__: function for function in functions})

    def __getattr__(self, name: str) -> Function:
        known = ", ".join(vars(self))
        raise AttributeError(f"`{name}` was not compiled; there are: {known}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("compiled functions cannot be replaced")

    def __getitem__(self, name: str) -> Function:
        """The function of this name."""
        function: Function = vars(self)[name]
        return function

    def __iter__(self) -> Iterator[str]:
        return iter(vars(self))

    def __len__(self) -> int:
        return len(vars(self))

    def __dir__(self) -> list[str]:
        return list(vars(self))

    def __repr__(self) -> str:
        return f"<dqdt functions {', '.join(vars(self))}>"
