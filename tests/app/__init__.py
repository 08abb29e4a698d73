"""Tests of single use-cases over real ports: the simulated GitHub and the inline store."""
