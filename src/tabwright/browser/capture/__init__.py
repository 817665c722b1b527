"""Screenshots, screencasts, PDFs and traces."""
