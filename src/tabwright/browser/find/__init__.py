"""Finding elements: selectors, refs, actionability, waits.

A tab knows every ref of the page it shows, and the last 2,000 of earlier pages. A ref names the same node
as long as it lives and is never reused. When its node is gone, it heals only if exactly one element of the
same page has its fingerprint: role, name and place.
"""
