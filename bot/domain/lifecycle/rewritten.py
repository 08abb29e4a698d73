"""Words that were edited or deleted after they were heard: what they decided stands, and that is said once
(LIFECYCLE.md 2.5: the created body counts, once).
"""

from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.effects import CreateComment, Effect
from bot.domain.model.record import Decision, Record
from bot.domain.model.sightings import WordsChanged
from bot.domain.model.text import code, link, sha12

_DID = {"plan": "approved", "review": "approved", "operator": "opened the human gate for"}


def words_changed(turn: Turn, signal: WordsChanged) -> Ignore:
    record = turn.record
    said = [
        d
        for d in record.decisions
        if d.void is None and d.verdict == "approve" and d.source.rpartition(":")[0] == signal.words
    ]
    if record.phase == "done" or not said:
        return Ignore("nothing that stands was decided in these words")
    return Ignore("what was decided in these words stands", (_notice(record, said[-1], signal),))


def _notice(record: Record, decision: Decision, signal: WordsChanged) -> Effect:
    number = signal.pull or signal.issue or record.issue
    by, author = code(signal.actor.login), code(decision.by.login)
    who = "they" if decision.by.id == signal.actor.id else author
    about = f"plan r{decision.revision}" if decision.gate == "plan" else f"`{sha12(decision.head or '')}`"
    comment = link("the comment", decision.url if signal.how == "edited" else None)
    marker = f"<!-- signalbox:rewritten:{signal.words} -->"
    body = (
        f"**{by} {signal.how} {comment} in which {who} {_DID[decision.kind]} {about}.**\n"
        f"The recorded decision stands as it was first written. To withdraw it, {author} comments `/revoke`.\n{marker}"
    )
    once = f"rewritten:{record.repository_id}:{signal.words}"
    write = CreateComment(number=number, body=body, marker=marker)
    return Effect(kind="notice", target=f"thread:{number}", once=once, write=write)
