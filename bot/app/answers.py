"""How a comment is answered on GitHub: one reaction that it was seen, one for what became of it, and one reply."""

from bot.domain.model.effects import CreateComment, Effect, React, ReactionContent
from bot.domain.model.sightings import CommentCreated


def seen(comment: CommentCreated) -> str:
    """What makes it one reaction, however often it is seen that the comment waits."""
    return f"seen:{comment.key}"


def reaction(comment: CommentCreated, content: ReactionContent, once: str) -> Effect:
    kind, number = comment.comment_kind, comment.comment_id
    write = React(comment_kind=kind, comment_id=number, node_id=comment.node_id, content=content)
    return Effect(kind="reaction", target=f"{kind}:{number}", once=once, write=write)


def reply(comment: CommentCreated, text: str, once: str) -> Effect:
    marker = f"<!-- signalbox:reply:{comment.key} -->"
    write = CreateComment(number=comment.number, body=f"{text}\n{marker}", marker=marker)
    return Effect(kind="reply", target=f"thread:{comment.number}", once=once, write=write)
