"""Pages as text: what is a link, what it is called, and where it leads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.work.runs.tools.pages import page_text

HERE = "https://roofs.example/a/b.html?q=1"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<a href="c.html">C</a>', "[C](https://roofs.example/a/c.html)"),
        ('<a href="/c">C</a>', "[C](https://roofs.example/c)"),
        ('<a href="//other.example/c">C</a>', "[C](https://other.example/c)"),
        ('<a href="?q=2">next</a>', "[next](https://roofs.example/a/b.html?q=2)"),
        ('<a href=" http://x.example/ ">\n two\n lines </a>', "[two lines](http://x.example/)"),
        ('<base href="https://base.example/d/"><a href="e">E</a>', "[E](https://base.example/d/e)"),
        ('<a href="/c"><img src="i.png" alt="The shop"></a>', "[The shop](https://roofs.example/c)"),
        ('<a href="/c" aria-label="Home"><svg><title>no</title></svg></a>', "[Home](https://roofs.example/c)"),
        ('<a href="/c"></a>', "[https://roofs.example/c](https://roofs.example/c)"),
        ('<a href="/c">one<a href="/d">two</a>', "[one](https://roofs.example/c)\n[two](https://roofs.example/d)"),
        ('<a href="/c">never ended', "[never ended](https://roofs.example/c)"),
        ('<a href="/c#part">there</a>', "[there](https://roofs.example/c#part)"),
        ('<a href="#/route">a route</a>', "[a route](https://roofs.example/a/b.html?q=1#/route)"),
        ('<a href="#part">here</a>', "here"),
        ('<a name="x">no link</a>', "no link"),
        ('<a href="javascript:go()">script</a>', "script"),
        ('<a href="mailto:ana@x.example">Ana</a>', "Ana"),
        ('<a href="http://[broken">broken</a>', "broken"),
        ('<a href="/c">x](https://evil.example/) [y</a>', "[x)(https://evil.example/) (y](https://roofs.example/c)"),
        ('<script><a href="/c">C</a></script>after', "after"),
    ],
)
def test_a_link(html: str, text: str) -> None:
    assert page_text(html, HERE) == text


@given(st.lists(st.sampled_from(["<a href='/c'>", "</a>", "<p>", "words ", "<base href='x'>", "< "])))
def test_no_page_loses_its_words(pieces: list[str]) -> None:
    words = sum(piece == "words " for piece in pieces)
    assert page_text("".join(pieces), HERE).count("words") == words
