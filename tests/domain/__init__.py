"""Tests of the rules: tables and short stories, no clock and no network."""
