"""What doctor finds on this machine, and how it gets at the store and at GitHub.

What never lives here: findings about what is stored or what GitHub says (bot.app.doctor).
"""
