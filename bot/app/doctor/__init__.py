"""What doctor finds in the store and on GitHub, as findings with a reason and a remedy each.

What never lives here: how they are printed, and what is about this machine (bot.bootstrap.doctor).
"""
