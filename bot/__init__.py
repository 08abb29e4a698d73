"""Signalbox: a self-hosted GitHub App that governs work from a labelled issue to a confirmed merge."""

__version__ = "0.1.0"
