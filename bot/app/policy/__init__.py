"""The policy file at work: which rules are in force, who is told that they changed, what is said of a file.

What lives here: reading it in time, keeping its versions, telling records and people. What never lives here: what a file means.
"""
