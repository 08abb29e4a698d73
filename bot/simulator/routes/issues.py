"""Issues, comments, labels, reactions."""

from bot.simulator.edge import Reply
from bot.simulator.model.threads import Comment, Thread
from bot.simulator.refusal import invalid, not_found
from bot.simulator.routes.call import Call, Handler
from bot.simulator.wire import repositories as wire_repositories
from bot.simulator.wire import threads as wire

_CONTENTS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


def _issues(call: Call) -> Reply:
    """Pull requests are in it, as on GitHub."""
    wanted = call.query.get("state", "open")
    labels = [one for one in call.query.get("labels", "").split(",") if one]
    since = call.since()
    found = [
        one
        for one in call.repository.threads.values()
        if (wanted == "all" or one.open == (wanted == "open"))
        and all(any(label.name.lower() == name.lower() for label in one.labels) for name in labels)
        and (since is None or one.updated_at >= since)
    ]
    by_update = call.query.get("sort") == "updated"
    found.sort(key=lambda one: (one.updated_at if by_update else one.created_at, one.number))
    if call.query.get("direction", "desc") == "desc":
        found.reverse()
    return call.page(found, wire.issue)


def _issue(call: Call) -> Reply:
    return Reply(200, wire.issue(call.thread()))


def _update_issue(call: Call) -> Reply:
    thread, state = call.thread(), call.optional("state")
    if state == "closed" and thread.open:
        call.world.closes(call.bot, thread, call.optional("state_reason") or "completed")
    if state == "open" and not thread.open:
        call.world.reopens(call.bot, thread)
    title, body = call.optional("title"), call.optional("body")
    if title is not None or body is not None:
        call.world.edits(call.bot, thread, title=title, body=body)
    return Reply(200, wire.issue(thread))


def _repository_comments(call: Call) -> Reply:
    comments = [c for thread in call.repository.threads.values() for c in thread.comments]
    since = call.since()
    comments = [one for one in comments if since is None or one.updated_at >= since]
    by_update = call.query.get("sort") == "updated"
    comments.sort(key=lambda one: (one.updated_at if by_update else one.created_at, one.id))
    if call.query.get("direction") == "desc":
        comments.reverse()
    return call.page(comments, wire.comment)


def _comments(call: Call) -> Reply:
    since = call.since()
    return call.page([c for c in call.thread().comments if since is None or c.updated_at >= since], wire.comment)


def _comment(call: Call) -> Reply:
    return Reply(200, wire.comment(call.comment()))


def _create_comment(call: Call) -> Reply:
    comment = call.world.comments(call.bot, call.thread(), call.field("body", str))
    shape = wire.comment(comment)
    return Reply(201, shape, {"Location": shape["url"]})


def _update_comment(call: Call) -> Reply:
    comment = call.comment()
    call.world.edits_comment(call.bot, comment, call.field("body", str))
    return Reply(200, wire.comment(comment))


def _events(call: Call) -> Reply:
    return call.page(call.thread().log, lambda one: wire.event(call.repository, one))


def _labels(call: Call) -> Reply:
    return call.page(call.thread().labels, lambda one: wire_repositories.label(call.repository, one))


def _add_labels(call: Call) -> Reply:
    names = call.body if isinstance(call.body, list) else call.field("labels", list)
    thread = call.thread()
    call.world.labels(call.bot, thread, *(one if isinstance(one, str) else one["name"] for one in names))
    return Reply(200, [wire_repositories.label(call.repository, one) for one in thread.labels])


def _remove_label(call: Call) -> Reply:
    thread = call.thread()
    call.world.unlabels(call.bot, thread, call.parts["name"])
    return Reply(200, [wire_repositories.label(call.repository, one) for one in thread.labels])


def _repository_labels(call: Call) -> Reply:
    labels = sorted(call.repository.labels.values(), key=lambda one: one.id)
    return call.page(labels, lambda one: wire_repositories.label(call.repository, one))


def _create_label(call: Call) -> Reply:
    name, color = call.field("name", str), call.optional("color") or "ededed"
    label = call.world.creates_label(call.bot, call.repository, name, color, call.optional("description"))
    return Reply(201, wire_repositories.label(call.repository, label))


def _update_label(call: Call) -> Reply:
    label = call.repository.label(call.parts["name"])
    if label is None:
        raise not_found()
    if call.optional("new_name"):
        del call.repository.labels[label.name.lower()]
        label.name = call.field("new_name", str)
        call.repository.labels[label.name.lower()] = label
    label.color = call.optional("color") or label.color
    label.description = call.optional("description") or label.description
    return Reply(200, wire_repositories.label(call.repository, label))


def _milestones(call: Call) -> Reply:
    """The world has none."""
    return call.page((), wire.issue)


def _react(call: Call) -> Reply:
    return _reaction(call, call.comment())


def _react_review_comment(call: Call) -> Reply:
    return _reaction(call, call.comment(on_line=True))


def _react_issue(call: Call) -> Reply:
    return _reaction(call, call.thread())


def _reaction(call: Call, to: Comment | Thread) -> Reply:
    """201 for a new one, 200 when it is there already."""
    content = call.field("content", str)
    if content not in _CONTENTS:
        raise invalid("Reaction", "content", "invalid")
    before = len(to.reactions)
    reaction = call.world.reacts(call.bot, to, content)
    return Reply(201 if len(to.reactions) > before else 200, wire.reaction(reaction))


ISSUES: dict[str, Handler] = {
    "issues": _issues,
    "issue": _issue,
    "update_issue": _update_issue,
    "repository_comments": _repository_comments,
    "comments": _comments,
    "comment": _comment,
    "create_comment": _create_comment,
    "update_comment": _update_comment,
    "issue_events": _events,
    "labels": _labels,
    "add_labels": _add_labels,
    "remove_label": _remove_label,
    "repository_labels": _repository_labels,
    "ensure_label": _create_label,
    "update_label": _update_label,
    "milestones": _milestones,
    "react": _react,
    "react_review_comment": _react_review_comment,
    "react_issue": _react_issue,
}
