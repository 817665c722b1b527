"""Trusted input: mouse, keyboard, touch, drag, scroll, form fields and files.

Input goes through the protocol's Input domain, after a hit test. A button that opens a file chooser is
pressed while Chrome hands choosers to us (`file_input`), and the files go to the input that the page asks
for.
"""
