"""Everything that answers: the webhook, health, the API, and the local admin socket. Thin faces over `bot.app`.

What never lives here: a decision about a record, SQL, or a call to GitHub.
"""
