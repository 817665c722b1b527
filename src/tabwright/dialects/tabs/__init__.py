"""The dialect `tabs`: tools that change with the browser and the page in focus (`client_view`)."""
