"""What whoever sits at the demo can do as one of its people: an act for each field of a form."""

from collections.abc import Callable, Mapping

from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, Pull, ReviewState, Thread
from bot.simulator.world import World

MOST_MINUTES = 24 * 60
POLICY = ".github/signalbox.yml"
#: The acts, each with what may stand beside it.
ON_REPOSITORY: Mapping[str, tuple[str, ...]] = {"policy": ()}
ON_ISSUE: Mapping[str, tuple[str, ...]] = {"comment": (), "label": (), "unlabel": (), "state": ()}
ON_PULL = {**ON_ISSUE, "push": (), "check": ("conclusion",), "draft": (), "review": ("body",)}
ON_GITHUB: Mapping[str, tuple[str, ...]] = {"minutes": (), "lose": ()}
NEW_ISSUE: Mapping[str, tuple[str, ...]] = {"title": ("body",)}
NEW_PULL: Mapping[str, tuple[str, ...]] = {"branch": ("title", "closes", "draft")}
CONCLUSIONS = (
    "success", "failure", "neutral", "skipped", "cancelled", "timed_out", "action_required", "stale", "startup_failure"
)  # fmt: skip
#: How a review is called in a form.
REVIEWS: Mapping[str, ReviewState] = {
    "approve": "APPROVED",
    "request_changes": "CHANGES_REQUESTED",
    "comment": "COMMENTED",
}


class NotDone(Exception):
    """The form cannot be understood. The text is for whoever sent it."""


class Hands:
    """Acts in the world as people do on GitHub. GitHub's own refusals are HttpError."""

    def __init__(self, world: World) -> None:
        self._world = world

    def opens_issue(self, repo: Repository, given: Mapping[str, str]) -> Thread:
        _act(given, NEW_ISSUE)
        return self._world.opens_issue(self._who(repo, given), repo, _needed(given, "title"), given.get("body", ""))

    def opens_pull(self, repo: Repository, given: Mapping[str, str]) -> Pull:
        """Pushes the branch and opens a pull request from it that closes the issue."""
        _act(given, NEW_PULL)
        who, branch, closes = self._who(repo, given), _needed(given, "branch"), given.get("closes", "")
        title, body = _needed(given, "title"), f"Closes #{_number(closes)}" if closes else ""
        draft = "draft" in given and _one_of(given, "draft", ("yes", "no")) == "yes"
        self._world.pushes(who, repo, branch, message=title)
        return self._world.opens_pull(who, repo, title, head=branch, body=body, draft=draft)

    def on_repository(self, repo: Repository, given: Mapping[str, str]) -> str:
        """The policy file of the default branch gets this text; none removes it. In a sentence."""
        _act(given, ON_REPOSITORY)
        text = given["policy"].replace("\r\n", "\n")
        files = {POLICY: text if text.strip() else None}
        sha = self._world.pushes(self._who(repo, given), repo, repo.default_branch, files=files, message="The policy")
        return f"{POLICY} is {'written' if text.strip() else 'removed'} on {repo.default_branch} by {sha[:7]}."

    def on_thread(self, thread: Thread, given: Mapping[str, str]) -> Comment | None:
        """The comment, if one was written."""
        act = _act(given, ON_PULL if isinstance(thread, Pull) else ON_ISSUE)
        if act == "check" and isinstance(thread, Pull):
            conclusion = _one_of(given, "conclusion", CONCLUSIONS) if "conclusion" in given else "success"
            self._world.check_run("actions", thread, _needed(given, "check"), conclusion=conclusion)
            return None
        who = self._who(thread.repository, given)
        if act == "comment":
            return self._world.comments(who, thread, _needed(given, "comment"))
        if isinstance(thread, Pull) and act in _OF_A_PULL:
            _OF_A_PULL[act](self._world, who, thread, given)
        else:
            _OF_A_THREAD[act](self._world, who, thread, given)
        return None

    def on_github(self, given: Mapping[str, str]) -> str:
        """What happens to GitHub itself, in a sentence."""
        if _act(given, ON_GITHUB) == "minutes":
            minutes = _number(given["minutes"])
            if not 0 < minutes <= MOST_MINUTES:
                raise NotDone(f"minutes is 1 to {MOST_MINUTES}.")
            self._world.clock.advance(minutes * 60)
            passed = f"{minutes} {'minute has' if minutes == 1 else 'minutes have'} passed"
            return f"{passed}, so doctor finds the clock of this machine behind for a while."
        when = _one_of(given, "lose", ("before", "after"))
        self._world.loses_answer_to("merge_async", landed=when == "after")
        return f"The answer to the next merge will be lost, {when} GitHub merges."

    def _who(self, repo: Repository, given: Mapping[str, str]) -> str:
        people = {self._world.users[id_].login: grant.level for id_, grant in repo.grants.items()}
        who = given.get("as", "")
        if who not in people:
            known = ", ".join(f"{login} ({level})" for login, level in people.items())
            raise NotDone(f"as says who you are here: {known}.")
        return who


def _state(world: World, who: str, thread: Thread, given: Mapping[str, str]) -> None:
    state = _one_of(given, "state", ("open", "closed"))
    if thread.open and state == "closed":
        world.closes(who, thread)
    elif not thread.open and state == "open":
        world.reopens(who, thread)


def _draft(world: World, who: str, pull: Pull, given: Mapping[str, str]) -> None:
    change = world.converts_to_draft if _one_of(given, "draft", ("yes", "no")) == "yes" else world.marks_ready
    change(who, pull)


def _review(world: World, who: str, pull: Pull, given: Mapping[str, str]) -> None:
    verdict = REVIEWS[_one_of(given, "review", tuple(REVIEWS))]
    world.reviews(who, pull, verdict, given.get("body", ""))


_OF_A_THREAD: Mapping[str, Callable[[World, str, Thread, Mapping[str, str]], object]] = {
    "label": lambda world, who, thread, given: world.labels(who, thread, _needed(given, "label")),
    "unlabel": lambda world, who, thread, given: world.unlabels(who, thread, _needed(given, "unlabel")),
    "state": _state,
}
_OF_A_PULL: Mapping[str, Callable[[World, str, Pull, Mapping[str, str]], object]] = {
    "push": lambda world, who, pull, given: world.pushes(who, pull, message=_needed(given, "push")),
    "draft": _draft,
    "review": _review,
}


def _act(given: Mapping[str, str], acts: Mapping[str, tuple[str, ...]]) -> str:
    """The one act that is asked for. What else was sent is refused: whoever sent it would believe that it counted."""
    named = [name for name in acts if name in given]
    odd = [name for name in given if name != "as" and not (named and name in {named[0], *acts[named[0]]})]
    if odd or not named:
        there_is = ", ".join(f"{name} (with {' and '.join(more)})" if more else name for name, more in acts.items())
        why = (
            f"{', '.join(name[:20] for name in odd)} cannot be sent here{f' with {named[0]}' if named else ''}. "
            if odd
            else ""
        )
        raise NotDone(f"{why}Send one of: {there_is}; as says who you are.")
    return named[0]


def _needed(given: Mapping[str, str], name: str) -> str:
    if not given.get(name, "").strip():
        raise NotDone(f"{name} is missing.")
    return given[name]


def _one_of(given: Mapping[str, str], name: str, possible: tuple[str, ...]) -> str:
    if given[name] not in possible:
        raise NotDone(f"{name} is one of: {', '.join(possible)}.")
    return given[name]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotDone(f"{text[:20]} is no number.")
    return int(text)
