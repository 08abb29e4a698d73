"""Reads files that people write in a repository: plain data with the place of every part, or what keeps them from it.

What lives here: the only use of YAML. What never lives here: what the data means, files, GitHub.
"""
