"""The documentation as people use it: its commands are run as they stand, and do what the pages say."""
