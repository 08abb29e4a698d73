"""Revisions, oldest first. A revision never changes once released and never imports the present tables."""
