"""What is said of a name that leads nowhere: whoever typed it has mostly meant something that is there."""

from difflib import get_close_matches

from bot.ports.store import Tx


def no_record(tx: Tx, repository: str, number: int) -> str:
    """Why there is no record of this issue, as far as that is known."""
    repo = tx.repositories.by_name(repository)
    key = tx.records.by_pull(repo.id, number) if repo else None
    if key is not None:
        issue = f"{repository}#{key.issue}"
        return f"{repository}#{number} is a pull request. The record is that of its issue: {issue}."
    known = unknown_repository(tx, repository) is None
    return f"There is no record of {repository}#{number}.{'' if known else _near(tx, repository)}"


def unknown_repository(tx: Tx, repository: str) -> str | None:
    """A sentence where nothing was ever heard of it."""
    if repository.casefold() in {name.casefold() for name in _names(tx)}:
        return None
    return f"No repository {repository} is known here.{_near(tx, repository)}"


def _near(tx: Tx, repository: str) -> str:
    names = {name.casefold(): name for name in _names(tx)}
    near = [names[found] for found in get_close_matches(repository.casefold(), names, n=3)]
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _names(tx: Tx) -> list[str]:
    heard = [
        repo.full_name for number in tx.repositories.installations() for repo in tx.repositories.of_installation(number)
    ]
    known = {name.casefold() for name in heard}
    return [*heard, *(name for name in tx.records.over() if name not in known)]
