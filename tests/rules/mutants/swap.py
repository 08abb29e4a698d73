"""A defect put into functions that live: their code is exchanged where they stand, and nothing is imported anew.

Who imported such a function by name has it too, since the function stays the same object. What runs once at import (a
constant, a table, a field, a decorator) cannot be changed so; such a defect needs a process that imports the planted file.
"""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType

Pair = tuple[CodeType, CodeType]
_OPTIMIZED = 0x1  # a function's code, not a class body's


def pairs(honest: str, planted: str, file: str) -> list[Pair] | None:
    """The codes of functions to exchange, old and new. None: the defect is not inside functions alone."""
    found: list[Pair] = []
    fits = _compare(compile(honest, file, "exec"), compile(planted, file, "exec"), found)
    return found if fits else None


class Living:
    """The functions that live, by module: looked for once, and again only for a module that was not there then.

    A forked child asks its parent's: to look through everything that lives touches, and so copies, every page of memory.
    """

    def __init__(self) -> None:
        self._of: dict[str, list[FunctionType]] = {}

    def of(self, module: str) -> list[FunctionType]:
        """Those of this module, which is imported."""
        if module not in self._of:
            self._of = _functions_alive()
        return self._of.get(module, [])


def swap(alive: Iterable[FunctionType], exchanged: list[Pair]) -> None:
    """Raises ValueError where the new code needs other variables around it."""
    for old, new in exchanged:
        for function in alive:
            if (function.__code__.co_qualname, function.__code__.co_firstlineno) == (
                old.co_qualname,
                old.co_firstlineno,
            ):
                function.__code__ = new


def _functions_alive() -> dict[str, list[FunctionType]]:
    gc.unfreeze()  # what is frozen is not told
    found = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            found[one.__module__].append(one)
    gc.freeze()
    return dict(found)


def _compare(old: CodeType, new: CodeType, found: list[Pair]) -> bool:
    """Whether everything that is not a function's own code is the same; what differs in functions is collected."""
    inside, inside_new = list(_codes(old)), list(_codes(new))
    if _own(old) != _own(new) or len(inside) != len(inside_new):
        return False
    for before, after in zip(inside, inside_new, strict=True):
        if before.co_flags & _OPTIMIZED:
            if before.co_name != after.co_name or before.co_freevars != after.co_freevars:
                return False
            found += _functions(before, after)
        elif not _compare(before, after, found):
            return False
    return True


def _functions(old: CodeType, new: CodeType) -> list[Pair]:
    """A function, and those made inside it that may live already, e.g. by a decorator."""
    if _whole(old) == _whole(new):
        return []
    within = [pair for both in zip(_codes(old), _codes(new), strict=False) for pair in _functions(*both)]
    return [(old, new), *(pair for pair in within if pair[0].co_freevars == pair[1].co_freevars)]


def _own(code: CodeType) -> tuple[object, ...]:
    constants = tuple((type(one), one) for one in code.co_consts if not isinstance(one, CodeType))
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants


def _whole(code: CodeType) -> tuple[object, ...]:
    return _own(code), tuple(_whole(one) for one in _codes(code))


def _codes(code: CodeType) -> Iterator[CodeType]:
    return (one for one in code.co_consts if isinstance(one, CodeType))
