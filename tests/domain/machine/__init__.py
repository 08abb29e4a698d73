"""Tests of the engine every machine runs on."""
