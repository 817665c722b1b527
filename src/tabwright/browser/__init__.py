"""The engine: drives one browser over the DevTools protocol.

`Browser` launches or attaches, `Context` isolates cookies and tabs, `Tab` is one page with its capabilities
(`tab.mouse`, `tab.network`, …), `Element` is what a selector or ref names. Each subpackage holds one subject;
the import contract in pyproject.toml gives their order.

The scripts in `js/` run in an isolated world that every frame gets when it is created. They are sent ahead
of the first call. Elements cross the wire as numbers, which the isolated world maps to nodes.
"""
