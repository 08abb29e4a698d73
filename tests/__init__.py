"""Tests of Signalbox. One folder per part; `kit` holds what several parts share."""
