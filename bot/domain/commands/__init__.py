"""What people may say in a comment: how it is read, what it becomes, how it is answered.

What lives here: the grammar, one file per command with its sentences, the catalogue, and the replies.
What never lives here: whether a command counts (`bot.domain.lifecycle`) and anything that asks GitHub.
A comment is somebody else's text: nothing here trusts it, and nothing here takes more than linear time over it.
"""
