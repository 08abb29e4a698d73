"""Tables of the merge rules: gates, checks, answers, proof, reservations, texts."""
