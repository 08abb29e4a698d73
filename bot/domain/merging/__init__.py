"""When a merge is allowed and what became of one: checks, gates, the reservation, GitHub's answers, proof.

What never lives here: a phase change. Those are the lifecycle's.
"""
