"""Many clients at work on one hub for a while: does anything grow?"""
