"""Small interface tasks (MiniWoB++), solved by refs only.

An oracle knows the goal and sees nothing but the answers of a server. It fails where snapshots and reports
do not expose what a person would use, and takes another snapshot where a report left out what it needs.
"""
