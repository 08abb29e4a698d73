"""What whoever sits at the demo can do as one of its people: an act for each field of a form."""

from collections.abc import Mapping

from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, Pull, Thread
from bot.simulator.world import World

MOST_MINUTES = 24 * 60


class NotDone(Exception):
    """The form cannot be understood. The text is for whoever sent it."""


class Hands:
    """Acts in the world as people do on GitHub. GitHub's own refusals are HttpError."""

    def __init__(self, world: World) -> None:
        self._world = world

    def opens_issue(self, repo: Repository, given: Mapping[str, str]) -> Thread:
        return self._world.opens_issue(self._who(repo, given), repo, _needed(given, "title"), given.get("body", ""))

    def opens_pull(self, repo: Repository, given: Mapping[str, str]) -> Pull:
        """Pushes the branch and opens a pull request from it that closes the issue."""
        who, branch, closes = self._who(repo, given), _needed(given, "branch"), given.get("closes", "")
        self._world.pushes(who, repo, branch, message=_needed(given, "title"))
        body = f"Closes #{_number(closes)}" if closes else ""
        return self._world.opens_pull(who, repo, given["title"], head=branch, body=body)

    def on_thread(self, thread: Thread, given: Mapping[str, str]) -> Comment | None:
        """The comment, if one was written."""
        repo = thread.repository
        if "comment" in given:
            return self._world.comments(self._who(repo, given), thread, _needed(given, "comment"))
        if "label" in given:
            self._world.labels(self._who(repo, given), thread, _needed(given, "label"))
        elif "unlabel" in given:
            self._world.unlabels(self._who(repo, given), thread, _needed(given, "unlabel"))
        elif "state" in given:
            self._closes(thread, given)
        elif "push" in given and isinstance(thread, Pull):
            self._world.pushes(self._who(repo, given), thread, message=_needed(given, "push"))
        elif "check" in given and isinstance(thread, Pull):
            self._world.check_run("actions", thread, _needed(given, "check"), conclusion=_conclusion(given))
        else:
            raise NotDone("Send one of comment, label, unlabel and state, on a pull request also push and check.")
        return None

    def _closes(self, thread: Thread, given: Mapping[str, str]) -> None:
        who, state = self._who(thread.repository, given), given["state"]
        if state not in {"open", "closed"}:
            raise NotDone("state is open or closed.")
        if thread.open and state == "closed":
            self._world.closes(who, thread)
        elif not thread.open and state == "open":
            self._world.reopens(who, thread)

    def on_github(self, given: Mapping[str, str]) -> str:
        """What happens to GitHub itself, in a sentence."""
        if "minutes" in given:
            minutes = _number(given["minutes"])
            if not 0 < minutes <= MOST_MINUTES:
                raise NotDone(f"minutes is 1 to {MOST_MINUTES}.")
            self._world.clock.advance(minutes * 60)
            return f"{minutes} {'minute has' if minutes == 1 else 'minutes have'} passed."
        if given.get("lose") in {"before", "after"}:
            landed = given["lose"] == "after"
            self._world.loses_answer_to("merge_async", landed=landed)
            return f"The answer to the next merge will be lost, {given['lose']} GitHub merges."
        raise NotDone("Send minutes, or lose with before or after.")

    def _who(self, repo: Repository, given: Mapping[str, str]) -> str:
        people = {self._world.users[id_].login: grant.level for id_, grant in repo.grants.items()}
        who = given.get("as", "")
        if who not in people:
            known = ", ".join(f"{login} ({level})" for login, level in people.items())
            raise NotDone(f"as says who you are here: {known}.")
        return who


def _needed(given: Mapping[str, str], name: str) -> str:
    if not given.get(name, "").strip():
        raise NotDone(f"{name} is missing.")
    return given[name]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotDone(f"{text[:20]} is no number.")
    return int(text)


def _conclusion(given: Mapping[str, str]) -> str:
    conclusion = given.get("conclusion", "success")
    if conclusion not in {"success", "failure"}:
        raise NotDone("conclusion is success or failure.")
    return conclusion
