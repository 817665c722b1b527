"""Ways in which a page reacts later than at once. Each is a script that calls `done()` in the end."""

# Within 100 ms, whatever the page uses for it.
SHORT = {
    "at once": "done()",
    "promise": "Promise.resolve().then(done)",
    "many promises": "(async () => { for (let i = 0; i < 500; i++) await 0; done() })()",
    "timer 0": "setTimeout(done)",
    "timer 20": "setTimeout(done, 20)",
    "timer 60": "setTimeout(done, 60)",
    "timer 100": "setTimeout(done, 100)",
    "three timers": "setTimeout(() => setTimeout(() => setTimeout(done, 5), 5), 5)",
    "interval": "const id = setInterval(() => { clearInterval(id); done() }, 70)",
    "debounce": "for (let i = 0; i < 5; i++) { clearTimeout(window.id); window.id = setTimeout(done, 80) }",
    "frame": "requestAnimationFrame(done)",
    "two frames": "requestAnimationFrame(() => requestAnimationFrame(done))",
    "frame, timer": "requestAnimationFrame(() => setTimeout(done, 50))",
    "idle": "requestIdleCallback(done)",
    "idle, timer": "requestIdleCallback(() => setTimeout(done, 50))",
    "message": "onmessage = done; postMessage(0, '*')",
    "message, timer": "onmessage = () => setTimeout(done, 60); postMessage(0, '*')",
    # As React renders what is not urgent: in slices of 5 ms, before anything of the page changes.
    "slices": """const { port1, port2 } = new MessageChannel(); let left = 14;
        port1.onmessage = () => { const end = performance.now() + 5; while (performance.now() < end);
          --left ? port2.postMessage(0) : done() };
        port2.postMessage(0)""",
    "task": "scheduler.postTask(done, { priority: 'background' })",
    "channel": """const [a, b] = [new BroadcastChannel('x'), new BroadcastChannel('x')];
        a.onmessage = () => { a.close(); b.close(); done() }; b.postMessage(0)""",
    "promise, timer": "Promise.resolve().then(() => new Promise(go => setTimeout(go, 60))).then(done)",
    "animation": "document.body.animate([{ opacity: 1 }, { opacity: 1 }], 60).finished.then(done)",
    "resize": "new ResizeObserver((_, self) => { self.disconnect(); done() }).observe(document.body)",
    "intersection": "new IntersectionObserver((_, self) => { self.disconnect(); done() }).observe(document.body)",
    "blob": "new Blob(['x'.repeat(100000)]).text().then(done)",
    "file reader": "const r = new FileReader(); r.onload = done; r.readAsText(new Blob(['x']))",
    "digest": "crypto.subtle.digest('SHA-256', new Uint8Array(1000)).then(done)",
    "fetch": "fetch('/answer').then(response => response.text()).then(done)",
    "fetch, timer": "fetch('/answer').then(() => setTimeout(done, 20))",
    "request": "const r = new XMLHttpRequest(); r.onload = done; r.open('GET', '/answer'); r.send()",
    "image": "const i = new Image(); i.onerror = i.onload = done; i.src = '/answer'",
    "database": """const opening = indexedDB.open('notes', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('all');
        opening.onsuccess = () => { const change = opening.result.transaction('all', 'readwrite');
          change.objectStore('all').put(1, 'a'); change.oncomplete = () => { opening.result.close(); done() } }""",
}

# Only known to be under way by what the page has scheduled.
LONG = {
    "timer 200": "setTimeout(done, 200)",
    "timer 450": "setTimeout(done, 450)",
    "eight timers": "const next = n => n ? setTimeout(() => next(n - 1), 40) : done(); next(8)",
    "slow debounce": "for (let i = 0; i < 5; i++) { clearTimeout(window.id); window.id = setTimeout(done, 300) }",
    "promise, timer 300": "Promise.resolve().then(() => new Promise(go => setTimeout(go, 300))).then(done)",
    "message, timer 300": "onmessage = () => setTimeout(done, 300); postMessage(0, '*')",
    "frames": "const next = n => n ? requestAnimationFrame(() => next(n - 1)) : done(); next(6)",
    "fetch, timer 200": "fetch('/answer').then(() => setTimeout(done, 200))",
    "worker": """const code = 'onmessage = () => setTimeout(() => postMessage(0), 100)';
        const worker = new Worker(URL.createObjectURL(new Blob([code]))); worker.onmessage = done; worker.postMessage(0)""",
}
