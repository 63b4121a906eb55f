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

    __slots__ = ("_all",)

    _all: dict[str, Function]

    def __init__(self, functions: list[Function]) -> None:
        self._all = {function.__name__: function for function in functions}

    def __getattr__(self, name: str) -> Function:
        try:
            all_functions: dict[str, Function] = object.__getattribute__(self, "_all")
            return all_functions[name]
        except KeyError:
            known = ", ".join(all_functions)
            raise AttributeError(f"`{name}` was not compiled; there are: {known}") from None

    def __getitem__(self, name: str) -> Function:
        """The function of this name."""
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __dir__(self) -> list[str]:
        return list(self._all)

    def __repr__(self) -> str:
        return f"<dqdt functions {', '.join(self._all)}>"
