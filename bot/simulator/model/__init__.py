"""The nouns of GitHub: people, repositories, threads, checks, hooks. Mutable, because the world changes.

What never lives here: a rule about who may do what (`verbs`), JSON (`wire`), or HTTP.
"""
