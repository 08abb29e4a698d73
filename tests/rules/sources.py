"""Rules over the text of a source file that no linter knows. Each gives the findings of one file, as people read them."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PURE = ("bot/domain/", "bot/app/")
NEVER_IN_PURE = frozenset({"asyncio", "random", "time", "uuid"})
#: Where the present may be asked for: where the real clock is made, and commands that print how long ago something was.
CLOCKS = ("bot/bootstrap/", "bot/cli/")
NOW = frozenset({"now", "utcnow", "today"})
#: `except Exception` belongs to whoever must outlive our own bugs (DESIGN: worker, writer thread, web error middleware).
#: A worker sets aside the one delivery, record, effect or repository that met the bug, visibly, and goes on.
BROAD = frozenset(
    {
        ("bot/app/effects.py", "step"),
        ("bot/app/merge.py", "_hold"),
        ("bot/app/policy/lane.py", "step"),
        ("bot/app/policy/news.py", "_telling"),
        ("bot/app/publish.py", "step"),
        ("bot/app/seen.py", "step"),
        ("bot/app/sweep/sweeper.py", "_app"),
        ("bot/app/sweep/sweeper.py", "step"),
        ("bot/app/sweep/tour.py", "without_fault"),
        ("bot/app/timers.py", "_take"),
        ("bot/app/inbox.py", "step"),
        ("bot/cli/main.py", "_redacted"),
        ("bot/store/committer.py", "commit"),
        ("bot/store/committer.py", "_alone"),
        ("bot/store/committer.py", "_closure"),
        ("bot/store/postgresql/store.py", "_answer"),
        ("bot/web/app.py", "__call__"),
    }
)
NAMES_THAT_SAY_NOTHING = frozenset({"utils", "util", "helpers", "helper", "common", "misc", "manager", "base"})
MOST_LINES = 300
MOST_PARAMETERS = 6
EXCUSED = re.compile(r"# noqa: PLR0913\b.*\w{3,} \w")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def findings(path: str, text: str) -> Iterator[str]:
    """All of them, for a file of `bot` at this path."""
    tree = ast.parse(text)
    yield from never_waits_or_draws(path, tree)
    yield from asks_no_clock(path, tree)
    yield from catches_what_it_knows(path, tree)
    yield from says_what_lives_here(path, tree)
    yield from keeps_its_budget(path, text, tree)
    if Path(path).stem in NAMES_THAT_SAY_NOTHING or Path(path).parent.name in NAMES_THAT_SAY_NOTHING:
        yield f"{path}: the name says nothing about what lives there"


def never_waits_or_draws(path: str, tree: ast.Module) -> Iterator[str]:
    """Also inside functions, and through `import_module`, where import contracts see nothing."""
    if not path.startswith(PURE):
        return
    for node in ast.walk(tree):
        for name in _imported(node):
            if name.partition(".")[0] in NEVER_IN_PURE:
                yield f"{path}: imports {name}; time, ids and waiting come through ports"


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=v)],
        ):
            return [str(v)]
    return []


def asks_no_clock(path: str, tree: ast.Module) -> Iterator[str]:
    if path.startswith(CLOCKS):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=method, value=ast.Name(id=owner) | ast.Attribute(attr=owner)):
                if owner in {"datetime", "date"} and method in NOW:
                    yield f"{path}:{node.lineno}: asks for the present; it comes through the Clock port"


def catches_what_it_knows(path: str, tree: ast.Module) -> Iterator[str]:
    """A broad handler is fine when it ends by raising: then it only cleans up."""
    for name, node in _with_function(tree):
        match node:
            case ast.ExceptHandler(type=caught, body=body) if _is_broad(caught) and not isinstance(body[-1], ast.Raise):
                if (path, name) not in BROAD:
                    yield f"{path}:{node.lineno}: catches everything in {name}"
            case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=args):
                if any(_is_broad(argument) for argument in args):
                    yield f"{path}:{node.lineno}: suppresses everything in {name}"


def _is_broad(caught: ast.expr | None) -> bool:
    match caught:
        case None | ast.Name(id="Exception" | "BaseException"):
            return True
        case ast.Tuple(elts=parts):
            return any(_is_broad(part) for part in parts)
    return False


def _with_function(node: ast.AST, name: str = "the module") -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        yield name, child
        yield from _with_function(child, child.name if isinstance(child, Function) else name)


def says_what_lives_here(path: str, tree: ast.Module) -> Iterator[str]:
    if not path.endswith("/__init__.py"):
        return
    if not ast.get_docstring(tree):
        yield f"{path}: does not say what lives here"
    if len(tree.body) > 1 and path != "bot/__init__.py":
        yield f"{path}: holds code; a package's file only says what lives there"


def keeps_its_budget(path: str, text: str, tree: ast.Module) -> Iterator[str]:
    """A function may take more where the linter was told why, on the same line."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        yield f"{path}: has {len(lines)} lines, {MOST_LINES} at most: is there a seam?"
    for node in ast.walk(tree):
        if isinstance(node, Function) and not EXCUSED.search(lines[node.lineno - 1]):
            count = len([name for name in _parameters(node) if name not in {"self", "cls"}])
            if count > MOST_PARAMETERS:
                yield f"{path}:{node.lineno}: {node.name} takes {count} parameters, {MOST_PARAMETERS} at most"


def _parameters(node: Function) -> list[str]:
    return [given.arg for given in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def third_party(text: str) -> set[str]:
    """Top-level modules that are imported anywhere in the file and do not come with Python."""
    found = {name.partition(".")[0] for node in ast.walk(ast.parse(text)) for name in _imported(node)}
    return found - sys.stdlib_module_names
