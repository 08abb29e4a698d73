"""What opens a gate: who may judge, which decisions count, what the checks of a head say."""
