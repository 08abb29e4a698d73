"""GitHub's JSON shapes, REST version 2026-03-10, used by webhooks and by the HTTP face alike.

Pure functions from nouns to dictionaries. What never lives here: a decision.
"""
