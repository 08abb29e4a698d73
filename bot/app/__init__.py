"""The imperative shell: small use-cases over ports. Sequence, retry and transaction live here.

What never lives here: a rule of the lifecycle, SQL, HTTP, or a clock of its own.
"""
