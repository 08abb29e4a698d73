"""What GitHub should show for a record: comments, labels, check runs, notices, and the difference to what it shows.

Pure functions of the record. Nothing here reads GitHub, knows the time, or decides about a lifecycle.
"""
