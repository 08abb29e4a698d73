"""What Signalbox does in numbers, beside what one would take instead. `make bench`; `docs/performance.md` shows the table.

Every number is a ratio of two contenders of one run: each round runs every contender once, in turned order, and the median of
the rounds' ratios is told with the least and the greatest. What is measured here decides nothing about correctness.
"""
