"""What is written below each setting, for the table of settings."""

import ast
import inspect
from itertools import pairwise


def texts(settings: type) -> dict[str, str]:
    """By the setting's name; nothing where nothing is written."""
    (declared,) = ast.parse(inspect.getsource(settings)).body
    assert isinstance(declared, ast.ClassDef)
    return {
        ast.unparse(field.target): inspect.cleandoc(text)
        for field, below in pairwise(declared.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(text := below.value.value, str)
    }
