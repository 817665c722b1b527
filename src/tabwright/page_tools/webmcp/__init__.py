"""Tools that a page declares itself (WebMCP): Chrome's own implementation, or our `document.modelContext`.

What a site declares is bounded in size and marked as the page's text (`schema`).
"""
