"""`/candidate`: a builder declares the head ready for testing, also a draft's, also one that was rejected before."""

from bot.domain.commands.arguments import odd_words, sha, sha_hint
from bot.domain.commands.spec import OF_A_COMMIT, CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import DeclareCandidate
from bot.domain.model.refusals import Refusal
from bot.domain.model.text import sha12


def parse(said: Said) -> DeclareCandidate | Refusal:
    commit = sha(said.words[0]) if len(said.words) == 1 else None
    if said.words and commit is None:
        return said.refusal(
            "bad_argument",
            f"Only a commit may follow here, and {odd_words(said)} is none, so nothing was declared. "
            f"{sha_hint(said.words)}A builder declares the present head with {said.typed(_words(said.thread))}.",
        )
    return said.signal(DeclareCandidate, sha=commit)


def _words(thread: Thread) -> str:
    head = thread.record.head if thread.record else None
    return f"candidate {sha12(head)}" if head else "candidate"


def offer(thread: Thread) -> Offer | None:
    record = thread.record
    building = record is not None and record.phase == "building" and not record.withdrawn
    return Offer(_words(thread)) if building and thread.is_pull else None


CANDIDATE = CommandSpec(
    name="candidate",
    arguments="[SHA]",
    where="pull",
    who=("builder",),
    summary="declares the head ready for testing",
    examples=(("pull", "/candidate"), ("pull", "/candidate 1a2b3c4d5e6f")),
    parse=parse,
    offer=offer,
    bound=OF_A_COMMIT,
)
