"""Issues, pull requests and comments as facts."""

from bot.domain.model.credits import Credits, credits_of
from bot.domain.model.facts import CommentFacts, IssueFacts, PullFacts, PullSummary, Push
from bot.domain.model.ids import Person
from bot.domain.model.questions import CommentOf
from bot.simulator.model.people import User
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, Pull, Review, Thread
from bot.simulator.refusal import not_found
from bot.simulator.verbs.commits import MOST_COMMITS
from bot.simulator.wire.threads import web_address
from bot.simulator.world import World


def person(user: User) -> Person:
    return Person(id=user.id, login=user.login)


def issue(thread: Thread) -> IssueFacts:
    return IssueFacts(
        id=thread.id,
        number=thread.number,
        title=thread.title,
        body=thread.body,
        open=thread.open,
        author=person(thread.author),
        labels=tuple(one.name for one in thread.labels),
        locked=thread.locked,
        is_pull=isinstance(thread, Pull),
    )


def edited(here: Repository, node_id: str) -> bool:
    """Whether the description of the thread with this node id was edited; of one that is not here nothing is known."""
    found = next((one for one in here.threads.values() if one.node_id == node_id), None)
    return found is None or found.edited_at is not None


def edited_by_others(world: World, node_ids: tuple[str, ...]) -> frozenset[str]:
    known = {one.node_id: one for one in world.comments_by_id.values()}
    if not known.keys() >= set(node_ids):
        raise not_found()
    return frozenset(one for one in node_ids if known[one].editor not in {None, known[one].author})


def pull(one: Pull) -> PullFacts:
    """As `GET /pulls/{number}` of REST version 2026-03-10 says it: without the merge commit."""
    return PullFacts(
        number=one.number,
        node_id=one.node_id,
        title=one.title,
        body=one.body,
        url=web_address(one),
        author=person(one.author),
        author_is_bot=one.author.type == "Bot",
        open=one.open,
        draft=one.draft,
        merged=one.merged,
        merged_at=one.merged_at,
        merged_by=person(one.merged_by) if one.merged_by else None,
        head_sha=one.head,
        head_ref=one.head_ref,
        head_repository_id=one.head_repository.id if one.head_repository else None,
        base_ref=one.base_ref,
        base_sha=one.base_sha,
        base_repository_id=one.repository.id,
        updated_at=one.updated_at,
        stack=_stack(one),
        locked=one.locked,
        labels=tuple(label.name for label in one.labels),
        auto_merge=one.auto_merge is not None,
    )


def _stack(one: Pull) -> tuple[int, ...] | None:
    if one not in one.stack or not one.open:
        return ()
    if any(member.stack_unlisted for member in one.stack[: one.stack.index(one) + 1]):
        return None
    return tuple(member.number for member in one.stack if member.open and not member.stack_unlisted)


def comment(world: World, repo: Repository, question: CommentOf) -> CommentFacts:
    if question.kind == "review":
        review = world.reviews_by_id.get(question.id)
        if review is None or review.pull.repository is not repo or review.pull.number != question.pull:
            raise not_found()
        return _review(world, review)
    found = world.comments_by_id.get(question.id)
    on_line = question.kind == "review_comment"
    if found is None or found.thread.repository is not repo or (found.path is not None) != on_line:
        raise not_found()
    return _comment(world, found)


def own_comments(world: World, thread: Thread) -> tuple[CommentFacts, ...]:
    return tuple(_comment(world, one) for one in thread.comments if one.app is world.app)


def open_at(world: World, repo: Repository, head: str) -> tuple[PullSummary, ...]:
    return tuple(
        PullSummary(number=one.number, head_sha=one.head, base_ref=one.base_ref, draft=one.draft)
        for one in world.open_pulls_at(repo, head)
    )


def open_below(world: World, pull: Pull) -> tuple[int, ...]:
    inside = set(world.commits_of(pull)) - {pull.head}
    pulls = (one for one in pull.repository.threads.values() if isinstance(one, Pull) and one.open)
    return tuple(sorted(one.number for one in pulls if one.base_ref == pull.base_ref and one.head in inside))


def _comment(world: World, one: Comment) -> CommentFacts:
    anchor = f"discussion_r{one.id}" if one.path is not None else f"issuecomment-{one.id}"
    return CommentFacts(
        id=one.id,
        node_id=one.node_id,
        kind="review_comment" if one.path is not None else "issue",
        body=one.body,
        author=person(one.author),
        mine=one.app is world.app,
        created_at=one.created_at,
        updated_at=one.updated_at,
        url=f"{web_address(one.thread)}#{anchor}",
    )


def _review(world: World, one: Review) -> CommentFacts:
    return CommentFacts(
        id=one.id,
        kind="review",
        body=one.body,
        author=person(one.author),
        mine=one.app is world.app,
        created_at=one.submitted_at,
        updated_at=one.updated_at,
        url=f"{web_address(one.pull)}#pullrequestreview-{one.id}",
    )


def pushes(repo: Repository, branch: str) -> tuple[Push, ...]:
    rows = [one for one in reversed(repo.activity) if one.branch == branch]
    return tuple(Push(before=one.before, after=one.after, actor=person(one.actor)) for one in rows)


def co_authors(world: World, pull: Pull) -> Credits:
    commits = world.listed_commits_of(pull)
    return credits_of(((person(commit.author), commit.message) for commit in commits), "github.com")


def commit_authors(world: World, pull: Pull) -> tuple[Person, ...] | None:
    commits = world.listed_commits_of(pull)
    if len(commits) >= MOST_COMMITS:
        return None
    authors = {commit.author.id: commit.author for commit in commits}
    return tuple(person(authors[number]) for number in sorted(authors))
