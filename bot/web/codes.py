"""Error codes of answers over HTTP, beside those of refusals: what each says to a program's author, for the documentation."""

from typing import NamedTuple


class Code(NamedTuple):
    name: str
    status: int
    meaning: str


#: The documentation is made of them (docs/generate.py), and a test holds them against where they are answered.
#: `no_record` and `bad_argument` are refusals, too.
CODES = (
    Code("bad_request", 400, "The request cannot be answered as it is."),
    Code("bad_headers", 400, "A delivery lacks GitHub's headers, or has one twice."),
    Code("other_app", 400, "A delivery is for another App, or for a hook of a repository or an organization."),
    Code("malformed", 400, "A delivery is not a JSON object of GitHub."),
    Code(
        "not_authenticated", 401, "A bearer token is needed, and this is none that works: unknown, expired or revoked."
    ),
    Code("bad_signature", 401, "The signature of a delivery is missing or wrong."),
    Code("not_found", 404, "Nothing is at this path."),
    Code("no_record", 404, "There is no such record, or none that the token's repositories cover."),
    Code("method_not_allowed", 405, "The path takes another method; `Allow` names it."),
    Code("too_slow", 408, "The body of a delivery did not arrive in time."),
    Code("guid_conflict", 409, "A delivery of this GUID is known with another body."),
    Code("too_large", 413, "A delivery is above 25 MiB."),
    Code("not_json", 415, "A delivery is not `application/json`: the webhook's content type is set otherwise."),
    Code(
        "bad_argument", 422, "A query parameter has a value that is not taken; `details` name it and, if few, what is."
    ),
    Code("internal", 500, "A fault of the server. Its log has the trace."),
    Code("frozen", 503, "Of a history: what is stored is not what was written, so it is not shown."),
    Code("busy", 503, "Too many deliveries arrive at once. GitHub's are asked for again."),
    Code("not_set_up", 503, "No GitHub App is set yet."),
    Code("not_stored", 503, "A delivery could not be stored. GitHub's are asked for again."),
    Code("store_unavailable", 503, "The database does not answer."),
    Code("not_ready", 503, "Of `/readyz`: the process cannot do its work; `details.reasons` say why."),
)
