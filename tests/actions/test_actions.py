"""Actions that only call the engine, each run once through the runner on a real page."""

from pathlib import Path

import pytest

from tabwright.errors import Denied, InvalidArgs
from tests.calls import Do
from tests.web import Response, Web


async def test_waits_report_what_they_waited_for(do: Do, web: Web) -> None:
    html = "<p>old</p><script>setTimeout(() => { document.body.innerHTML = '<p id=new>new</p>'; history.pushState({}, '', '/done') }, 50)</script>"
    await do("navigate", url=web.page(html))
    assert (await do("wait_for", target="#new")).text == "Now visible: #new."
    assert (await do("wait_for_text", text="old", gone=True)).text == 'Gone: "old".'
    assert (await do("wait_for_url", pattern="*/done")).text == f"The URL is {web.url}/done."
    assert (await do("wait_for_script", script="document.body.children.length")).text == "1"


async def test_elements_can_be_read(do: Do, web: Web) -> None:
    html = "<style>*{margin:0}</style><input id=a value=Ada data-x=7 style='width:100px;height:20px;border:0;padding:0'>"
    await do("navigate", url=web.page(html))
    assert (await do("get_value", target="#a")).text == "Ada"
    assert (await do("get_attribute", target="#a", name="data-x")).text == "7"
    assert (await do("get_attribute", target="#a", name="data-y")).text == "No value."
    assert (await do("get_box", target="#a")).text.startswith("100 x 20 at 0, ")
    assert (
        await do("get_state", target="#a")
    ).text == "visible: true, enabled: true, editable: true, focused: false"
    assert (await do("get_html", target="#a")).text.startswith('<input id="a"')
    assert (await do("get_text", target="body")).text == ""


async def test_a_password_is_filled_in_and_never_returned(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<label>Password <input type=password id=p></label>"))
    reply = await do("fill", target="#p", value="hunter2")
    assert reply.text.splitlines()[0] == 'textbox "Password" is now "••••".'
    assert (await do("get_value", target="#p")).text == "••••"
    assert "hunter2" not in reply.text
    assert (await do("evaluate", script="document.querySelector('#p').value.length")).text.startswith("7")


async def test_a_screenshot_is_a_file_in_the_store(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<body style='background:red;height:9000px'>"))
    answer = await do("screenshot", full_page=True, max_side=500)
    (picture,) = answer.artifacts
    assert (picture.mime, picture.content[:3]) == ("image/jpeg", b"\xff\xd8\xff")
    assert picture.name.startswith("screenshot-")
    assert max(answer.result.model_dump()["width"], answer.result.model_dump()["height"]) == 500


async def test_scrolling_dragging_tapping_and_swiping(do: Do, web: Web) -> None:
    html = """<div style='height:3000px'></div><button ontouchstart="document.title='tapped'">Tap</button>"""
    await do("navigate", url=web.page(html))
    assert (await do("scroll", pixels=500)).text.startswith("Scrolled to 0, 500 (at most 0, ")
    assert (await do("scroll_into_view", target="text=Tap")).text.startswith('Scrolled to button "Tap".')
    assert 'The title is now "tapped"' in (await do("tap", target="text=Tap")).text
    assert (await do("swipe", x=100, y=400, to_x=100, to_y=100)).text.startswith("Swiped to 100, 100.")


async def test_files_are_uploaded_and_downloaded(do: Do, web: Web, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello")
    web.route(
        "/file", lambda _: Response("data", headers={"content-disposition": "attachment; filename=data.csv"})
    )
    await do("navigate", url=web.page("<input type=file><a href=/file>Get</a>"))
    reply = await do("upload", target="input", paths=[str(tmp_path / "note.txt")])
    assert reply.text.startswith("Uploaded note.txt to ")
    await do("save_downloads", folder=str(tmp_path / "down"))
    assert "Download d1" in (await do("click", target="text=Get")).text
    assert (
        await do("wait_for_download", id="d1")
    ).text == f"d1 data.csv completed 4 B {tmp_path / 'down' / 'data.csv'}"
    assert (await do("list_downloads")).text.startswith("d1 data.csv completed")


async def test_a_button_that_asks_for_files_gets_them(do: Do, web: Web, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello")
    html = """<button onclick="file.click()">Choose files</button><p role=status></p>
        <input type=file id=file hidden onchange="document.querySelector('p').textContent = file.files[0].name">"""
    await do("navigate", url=web.page(html))
    reply = await do("upload", target="text=Choose files", paths=[str(tmp_path / "note.txt")])
    assert reply.text == ('Uploaded note.txt to button "Choose files".\n+ status: "note.txt"')
    with pytest.raises(Denied, match="is outside of the folders that may be used"):
        await do("upload", target="text=Choose files", paths=["/etc/passwd"])


async def test_console_and_network_can_be_read_and_cleared(do: Do, web: Web) -> None:
    web.route("/api", lambda _: Response("pong", headers={"content-type": "text/plain"}))
    url = web.page("<script>console.log('hi'); fetch('/api')</script>")
    await do("navigate", url=url, wait_until="networkidle")
    assert (await do("console_messages")).text.endswith(f"log: hi ({url}:1)")
    (line,) = (await do("list_requests", pattern="*/api")).text.splitlines()
    assert line.split()[1:4] == ["GET", f"{web.url}/api", "200"]
    assert (await do("get_request", id=line.split()[0])).text.splitlines()[-1] == "pong"
    assert (await do("clear_console")).text == "The console is empty."
    assert (await do("clear_requests")).text == "No matching requests."


async def test_rules_block_and_mock_until_cleared(do: Do, web: Web) -> None:
    await do("mock_requests", pattern="*/api", body="mocked", headers=["X-Mock: yes"])
    await do("block_requests", pattern="*/blocked")
    await do("navigate", url=web.page("<p>page"))
    fetch = "fetch(args[0]).then(answer => answer.text(), () => 'refused')"
    assert (await do("evaluate", script=fetch, args=["/api"])).text.startswith("mocked")
    assert (await do("evaluate", script=fetch, args=["/blocked"])).text.startswith("refused")
    assert (await do("clear_rules")).text == "Cleared all rules."
    assert (await do("evaluate", script=fetch, args=["/api"])).text.startswith("no /api")


async def test_headers_credentials_and_offline(do: Do, web: Web) -> None:
    await do("set_headers", headers=["X-Agent: tabwright"])
    assert (
        await do("set_credentials", user="ada", password="secret")
    ).text == "Credentials are set for every site."
    url = web.page("<p>page")
    await do("navigate", url=url)
    assert web.requests[-1].headers["x-agent"] == "tabwright"
    with pytest.raises(InvalidArgs, match="Invalid header"):
        await do("set_headers", headers=["nonsense"])
    assert (await do("set_offline")).text == "The session is now offline."
    assert (await do("set_offline", offline=False)).text == "The session is now online."


async def test_tabs_are_opened_chosen_and_closed(do: Do, web: Web) -> None:
    first, second = web.page("<title>1</title>"), web.page("<title>2</title>")
    await do("navigate", url=first)
    opened = (await do("new_tab", url=second)).text.splitlines()
    assert [line.partition(": ")[2] for line in opened] == [first, second]
    one, two = (line.split()[0].rstrip(":") for line in opened)
    assert opened[1].startswith(f"{two} (current)")
    assert (await do("switch_tab", id=one)).text.splitlines()[0].startswith(f"{one} (current)")
    assert (await do("close_tab", id=two)).text == f"{one} (current): {first}"


async def test_a_dialog_is_answered(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<button onclick=\"document.title = prompt('Name?')\">Ask</button>"))
    assert (await do("click", target="text=Ask")).text.endswith('The page shows a prompt dialog "Name?".')
    assert (await do("answer_dialog", text="Ada")).text.startswith('Accepted the prompt dialog "Name?".')
    assert (await do("evaluate", script="document.title")).text.startswith("Ada")


async def test_cookies_are_read_and_changed(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>page", headers={"set-cookie": "seen=yes; HttpOnly"}))
    assert (await do("get_cookies", url=web.url)).text == "seen=yes (127.0.0.1/, HttpOnly)"
    assert (await do("set_cookie", name="mine", value="1", domain="127.0.0.1")).text == "Set the cookie mine."
    assert (await do("evaluate", script="document.cookie")).text.startswith("mine=1")
    assert (await do("delete_cookies", name="mine")).text == "Deleted 1 cookie named mine."
    assert (await do("delete_cookies")).text == "Deleted all cookies."


async def test_storage_is_read_changed_and_deleted(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>page"))
    await do("set_storage", key="theme", value="dark")
    assert (await do("get_storage")).text == '{"theme":"dark"}'
    assert (await do("get_storage", key="nothing")).text == "{}"
    assert (await do("clear_storage", key="theme")).text == "Removed the item theme."
    assert (await do("set_storage", key="draft", value="x", kind="session")).text == "Set the item draft."
    assert (await do("clear_storage", kind="session")).text == "Cleared session storage."
    assert (await do("get_storage", kind="session")).text == "{}"
    await do("set_storage", key="theme", value="dark")
    reply = (await do("clear_site", url=web.url)).text
    assert reply.startswith(f"Deleted all data of {web.url}")
    assert (await do("get_storage")).text == "{}"


async def test_clearing_a_site_deletes_its_cookies_too(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>page", headers={"set-cookie": "seen=yes; HttpOnly"}))
    assert (await do("get_cookies", url=web.url)).text == "seen=yes (127.0.0.1/, HttpOnly)"
    assert (await do("clear_site", url=web.url)).text == f"Deleted all data of {web.url}."
    assert (await do("get_cookies", url=web.url)).text == "There are no cookies."


async def test_databases_are_listed_and_read(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>page"))
    script = """new Promise(done => {
        const opening = indexedDB.open('shop', 1)
        opening.onupgradeneeded = () => opening.result.createObjectStore('items').put('pear', 'fruit')
        opening.onsuccess = () => done(opening.result.close())
    })"""
    await do("evaluate", script=script)
    assert (await do("list_databases")).text == '{"shop":{"items":1}}'
    assert (
        await do("read_database", database="shop", store="items")
    ).text == '{"total":1,"records":[["fruit","pear"]]}'


async def test_emulation_is_seen_by_the_page_until_reset(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>page"))
    reply = await do(
        "emulate", width=500, height=400, timezone="Asia/Tokyo", colour_scheme="dark", network="4g"
    )
    assert reply.text == "Emulating width, height, timezone, colour_scheme, network."
    facts = "[innerWidth, Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia('(prefers-color-scheme: dark)').matches]"
    assert (await do("evaluate", script=facts)).text.startswith('[500,"Asia/Tokyo",true]')
    assert (await do("reset_emulation")).text == "Stopped all emulation."
    with pytest.raises(InvalidArgs, match="width and height"):
        await do("emulate", width=500)
    assert (await do("set_permission", names=["geolocation"], origin=web.url)).text == "Granted geolocation."


async def test_a_page_is_printed(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<h1>Report</h1>"))
    (document,) = (await do("pdf", landscape=True)).artifacts
    assert (document.mime, document.content[:5]) == ("application/pdf", b"%PDF-")
