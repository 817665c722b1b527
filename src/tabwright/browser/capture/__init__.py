"""Screenshots, screencasts, PDFs and traces.

The tab remembers its last screenshot: `@xy(120,40)` is a pixel of it (`screenshot_point`). After a
navigation or a scroll those points are stale; only points of a full-page screenshot are scrolled to.
Scrolling inside the page, or a change under the same URL, goes unnoticed.
"""
