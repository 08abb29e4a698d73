"""Planted defects: each breaks one rule of the product in a copy of it, and a named test must turn red.

A guard that no test misses is not guarded. Entries only; what runs them is `workshop`. No product code and no test of it.
"""
