"""Fidelity of the simulated GitHub: shapes, statuses, faults, and that its two faces agree."""
