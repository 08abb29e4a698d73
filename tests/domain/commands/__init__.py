"""Tests of what comments are read as and how they are answered."""
