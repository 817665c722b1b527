"""What callers may read, write, type and run: files, secrets, scripts.

Files: `file_access` confines uploads and downloads to the caller's folder, which is where a client was
started. The home folder and / are excluded, because desktop clients start their servers there.
Links are resolved first, then every path component is opened without following links. Between that check
and the moment Chrome opens the file there is a gap, for anyone who can already write in that folder.

Secrets: `secret_typing` replaces `{{secret:name}}` for one action. `browser.find.origin_guard` checks the
frame and all frames around it when the element is found, and again before each character.
`browser.input.secret_text` types it by calls to the checked document, never as keyboard input, which goes to
whatever has the focus. From then on the value is removed from every answer, error and log line, also in its
URL, HTML and JSON encodings, and in groups. A screenshot, a script that takes the value apart, or the first
characters in a field that shows its text after typing stopped, are not covered.

Scripts (every argument of type `Code`) get a reach from the caller's scopes, `security.block_eval` and the
script:

- full: scope `evaluate`, and the user set `block_eval` to false. Runs in the page's own world.
- guarded: otherwise, and for scope `act`. Runs in its own isolated world, hardened in every frame before
  anything else runs (`guard.js`): cookies, storage, requests, other windows, text as code, and whatever
  would write code into the page throw.
- read: scope `read` alone. The same world, and Chrome stops the script before its first side effect.

A `Location` runs `javascript:` URLs in the page's own world and cannot be hardened, so `script_parser`
parses every script. A script whose names cannot all be determined (`Reflect`, `Object.assign`, writing
`location.href`, over 10,000 characters) may only read.
"""
