"""The rules of Signalbox, as pure values and functions.

What lives here: what a record is, what may happen to it, what may merge, what people are told.
What never lives here: waiting, clocks, randomness, files, sockets, databases, logging. Time, identifiers and
facts about GitHub arrive as arguments, so every rule is a table test away from being checked.
"""
