"""The nouns: identifiers, the record and its parts, signals, facts, effects, refusals, policy.

Nothing here decides anything. Everything here is immutable.
"""
