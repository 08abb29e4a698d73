"""The policy file: what it may say, what is found in it, and which rules hold."""
