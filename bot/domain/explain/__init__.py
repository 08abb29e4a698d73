"""What is needed and what is there, as a tree of rows that every face shows. It decides nothing."""
