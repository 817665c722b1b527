"""Reading the main text of a page as Markdown."""

import pytest

from tabwright.errors import NotFound
from tests.calls import Do
from tests.web import Web

ARTICLE = '<title>Tea in Kyoto | The Daily</title><meta property="og:type" content="article">'
PARAGRAPH = (
    "The first leaves are picked in May, before the rain comes, and they are steamed within the hour, "
    "rolled by hand, dried over charcoal, and tasted by three people who do not talk to each other."
)
STORY = f"<p>{PARAGRAPH}</p>" * 4
TEXT = "\n\n".join([PARAGRAPH] * 4)


async def read(do: Do, web: Web, html: str, **args: str) -> str:
    await do("navigate", url=web.page(html))
    text: str = (await do("read", **args)).result.model_dump()["text"]
    return text


async def test_an_article_is_read_without_what_surrounds_it(do: Do, web: Web) -> None:
    html = f"""{ARTICLE}<header><a href=/>The Daily</a><nav><a href=/news>News</a></nav></header>
    <main><article><h1>Tea in Kyoto</h1><div class=byline>By Ada Lovelace</div><time>5 May 2024</time>
    <div class=share-bar><a href=/f>Facebook</a> <a href=/x>X</a></div>{STORY}
    <p><a href=/coffee>Coffee in Rome</a></p><p>Read more: <a href=/milk>Milk in Bern</a></p>{STORY}
    <div class=newsletter>Get our letter every week.</div></article>
    <section class=comments><p>{PARAGRAPH.upper()}</p></section></main><footer>Imprint</footer>"""
    assert await read(do, web, html) == f"{TEXT}\n\n{TEXT}"


async def test_what_is_left_out_of_an_article_is_announced_and_can_be_read(do: Do, web: Web) -> None:
    html = f"""{ARTICLE}<header><a href=/>The Daily</a></header><nav><a href=/news>News</a></nav>
    <article><h1>Tea</h1>{STORY}</article><section class=comments><p>Nice story!</p></section>"""
    await do("navigate", url=web.page(html))
    note = "[Article only. Left out: 6 words, 2 links (header, menus, comments). Target body reads it all.]"
    assert (await do("read")).text == f"{note}\n\n{TEXT}"
    around = f"[The Daily]({web.url}/)\n\n[News]({web.url}/news)\n\n# Tea"
    assert (await do("read", target="body")).text == f"{around}\n\n{TEXT}\n\nNice story!"


async def test_an_article_keeps_code_tables_lists_links_and_captions(do: Do, web: Web) -> None:
    html = f"""{ARTICLE}<article>{STORY}<h2>Steps</h2><ol start=3><li>Boil <b>water</b><ul><li>soft<li>fresh</ul>
    <li>Wait</ol><pre><code class=language-py>for cup in cups:
    pour(cup)  # slowly</code></pre><figure><img alt=cup src=data:,><figcaption>A cup of <a href=/g>Gyokuro</a>.</figcaption></figure>
    <table><tr><th>Tea<th>Price</tr><tr><td>Sencha<td class=date>12</tr></table><p>One<br>two</p></article>"""
    steps = "3. Boil **water**\n   - soft\n   - fresh\n4. Wait"
    code = "```py\nfor cup in cups:\n    pour(cup)  # slowly\n```"
    table = "| Tea | Price |\n| --- | --- |\n| Sencha | 12 |"
    caption = f"A cup of [Gyokuro]({web.url}/g)."
    assert await read(do, web, html) == "\n\n".join(
        [TEXT, "## Steps", steps, code, caption, table, "One\ntwo"]
    )


async def test_coloured_code_is_whole(do: Do, web: Web) -> None:
    html = f"""{ARTICLE}<article>{STORY}<div class=code-toolbar><pre><span class="token comment"># all</span>
<span class="token tag">&lt;b></span>\t<span class=related>x</span>
</pre><div class=toolbar><button>Copy</button></div></div>{STORY}</article>"""
    assert await read(do, web, html) == f"{TEXT}\n\n```\n# all\n<b>\tx\n```\n\n{TEXT}"


async def test_other_articles_below_the_main_one_are_left_out(do: Do, web: Web) -> None:
    other = f"<article class=post><h2>Milk</h2><p>{PARAGRAPH.upper()}</p></article>"
    html = f"{ARTICLE}<article class=post><h1>Tea</h1>{STORY}</article>{other * 5}"
    assert await read(do, web, html) == TEXT


async def test_a_page_that_is_not_an_article_loses_no_words(do: Do, web: Web) -> None:
    posts = "".join(f"<div class=comment><p><a href=/{name}>{name}</a></p>{STORY}</div>" for name in "ab")
    html = (
        f"<main><h1>Forum</h1><ul class=tags><li><a href=/t>tea</a></ul>{posts}<div class=ad>Buy</div></main>"
    )
    a, b, tea = (f"[{name}]({web.url}/{path})" for name, path in (("a", "a"), ("b", "b"), ("tea", "t")))
    assert await read(do, web, html) == f"# Forum\n\n- {tea}\n\n{a}\n\n{TEXT}\n\n{b}\n\n{TEXT}\n\nBuy"


async def test_a_form_with_long_notes_loses_no_words(do: Do, web: Web) -> None:
    fields = "".join(f"<div>Field {number} is required.<input></div>" for number in range(9))
    html = f"<div class=related><h1>Sign up</h1></div><div>{STORY}</div>{fields}"
    asked = "\n\n".join(f"Field {number} is required." for number in range(9))
    assert await read(do, web, html) == f"# Sign up\n\n{TEXT}\n\n{asked}"


async def test_a_link_around_blocks_is_one_line(do: Do, web: Web) -> None:
    html = "<a href=/tea><h3>Tea</h3><p>From <b>Kyoto</b></p></a>"
    assert await read(do, web, html) == f"[Tea From Kyoto]({web.url}/tea)"


async def test_an_old_page_without_landmarks_is_read_without_its_menus(do: Do, web: Web) -> None:
    menu = "".join(f"<li><a href=/{number}>Chapter {number} of the book</a>" for number in range(40))
    html = (
        f"<table><tr><td class=menu><ul>{menu}</ul><td><div>{STORY}</div></table><div id=footer>© 2003</div>"
    )
    assert await read(do, web, html) == TEXT


async def test_a_short_article_below_its_headline_is_read_without_dates_and_notes(do: Do, web: Web) -> None:
    related = "".join(f"<li>2012年12月{day}日 <a href=/{day}>旧新闻</a></li>" for day in range(1, 19))
    notes = "".join(f"<li>栏目{number} 更多内容请看这里</li>" for number in range(9))
    paragraph = (
        "第一批茶叶在五月采摘、赶在雨季之前、一小时内蒸熟、用手揉捻、在炭火上烘干、由三个互不交谈的人品尝。"
    )
    html = f"""<title>京都的茶农今年提前开始采摘新茶 - 日报</title><h1>京都的茶农今年提前开始采摘新茶</h1>
    <div>{f"<p>{paragraph}</p>" * 7}</div><ul>{related}</ul><ul>{notes}</ul>"""
    assert await read(do, web, html) == "\n\n".join([paragraph] * 7)


async def test_the_article_with_the_headline_is_read_without_the_other_articles(do: Do, web: Web) -> None:
    other = f"<article><h3>Milk in Bern</h3><p>{PARAGRAPH.upper()}</p></article>"
    html = f"""<title>Where the best tea of Kyoto grows - The Daily</title><h1>The Daily</h1><main>
    <article><h3>Where the best tea of Kyoto grows</h3><div>{STORY}</div></article>{other * 5}</main>"""
    assert await read(do, web, html) == TEXT


async def test_headings_between_paragraphs_stay(do: Do, web: Web) -> None:
    html = f"{ARTICLE}<article>{STORY}<h2 class=subheader>The harvest</h2>{STORY}</article>"
    assert await read(do, web, html) == f"{TEXT}\n\n## The harvest\n\n{TEXT}"


async def test_hidden_text_of_an_article_is_not_shown(do: Do, web: Web) -> None:
    hidden = f"<p style='font-size:1px'>{PARAGRAPH}</p><p style='display:none'>{PARAGRAPH}</p>"
    clear = f"<p style='opacity:0'>{PARAGRAPH}</p><pre style='color:#fff;background:#fff'>secret</pre>"
    html = f"<body style='background:#fff'>{ARTICLE}<article>{hidden}{clear}{STORY}</article>"
    assert await read(do, web, html) == TEXT


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>a<a href=/x></a><a href=/y><svg></svg></a> b</p>", "a b"),
        ("<div>one</div><div>two <i>three</i>, four</div>", "one\n\ntwo *three*, four"),
        ("<p style='white-space:pre-line'>one\n  two</p>", "one\ntwo"),
        ("<pre>  a\n\tb\n\n</pre>", "```\n  a\n\tb\n```"),
        ("<pre>```</pre>", "````\n```\n````"),
        ("<pre><div>a</div><div>b</div>c</pre>", "```\na\nb\nc\n```"),
        ("<ol><li>a<ol><li>b</ol><li><p>c</p><p>d</p></ol>", "1. a\n   1. b\n2. c\n   d"),
        ("<ul><li>a<pre>b\nc</pre></ul>", "- a\n  ```\n  b\n  c\n  ```"),
        ("<blockquote><p>a</p><ul><li>b</ul></blockquote>", "> a\n>\n> - b"),
        ("<h2><button>Question</button></h2><p>Answer</p>", "## Question\n\nAnswer"),
        (
            "<table><tr><th><button>Name ▲</button><th>Age</tr><tr><td>Ada<td>36</tr></table>",
            "| Name ▲ | Age |\n| --- | --- |\n| Ada | 36 |",
        ),
        ("<dl><dt>Tea</dt><dd>A drink</dd></dl>", "Tea\n\nA drink"),
        ("<p><b>bold </b>and <code>a b</code><del>c</del></p>", "**bold** and `a b`~~c~~"),
        ("<img alt='A cat' width=9 height=9><img alt=DSC_1.jpg width=9 height=9>", "![A cat]"),
        ("<table><tr><td><h2>a</h2>b<td><ul><li>c</ul></table>", "## a\n\nb\n\n- c"),
        ("<details><summary>More</summary>closed</details>", "More"),
        (
            "<my-card><template shadowrootmode=open><p>in <slot></slot></p></template>shadow</my-card>",
            "in shadow",
        ),
    ],
)
async def test_markdown_of(do: Do, web: Web, html: str, markdown: str) -> None:
    assert await read(do, web, html) == markdown


async def test_a_target_by_css_is_read_whole(do: Do, web: Web) -> None:
    html = f"{ARTICLE}<nav id=menu><ul><li><a href=/a>Home</a></ul></nav><article>{STORY}</article>"
    assert await read(do, web, html, target="#menu") == f"- [Home]({web.url}/a)"
    assert await read(do, web, html, target="css=body") == f"- [Home]({web.url}/a)\n\n{TEXT}"
    with pytest.raises(NotFound):
        await do("read", target="#none")


async def test_reading_leaves_refs_as_they_are(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(f"{ARTICLE}<article>{STORY}</article><button>Buy</button>"))
    before = (await do("snapshot")).text
    await do("read")
    assert (await do("snapshot")).text == before
    assert "Clicked" in (await do("click", target="@e1")).text


async def test_a_page_too_deep_to_search_is_read_as_a_whole(do: Do, web: Web) -> None:
    deep = f"{'<div>' * 300}{STORY}{'</div>' * 300}"
    assert await read(do, web, f"{ARTICLE}<div class=ad>Buy</div>{deep}") == f"Buy\n\n{TEXT}"
