"""Three processes on one PostgreSQL database, people who keep working, and processes that are stopped and killed all the
time. `make soak` runs it for eight minutes and says what it saw; nothing here is a part of `make test` but its judge."""
