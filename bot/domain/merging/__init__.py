"""What became of a request to merge: the reservation, the texts, GitHub's answers, proof.

What never lives here: a phase change. Those are the lifecycle's.
"""
