"""What the tests of several parts share. No test stands here."""
