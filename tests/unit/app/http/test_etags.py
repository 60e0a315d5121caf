"""If-Match: which tags let an edit through, which are of another version, and which are none."""

from __future__ import annotations

import pytest

from app.errors import InvalidInput, PreconditionFailed
from app.http.etags import check_match

NOW = {"id": "x", "version": 3}


@pytest.mark.parametrize(("said", "expected"), [(None, None), (" * ", None), ('"3"', 3), ('"2", "3"', 3)])
def test_what_names_the_version_or_any_lets_through(said: str | None, expected: int | None) -> None:
    assert check_match(said, NOW) == expected


@pytest.mark.parametrize("said", ['"2"', 'W/"3"', '"2", W/"3"', '"03"', '""'])
def test_another_version_and_a_weak_tag_do_not_match(said: str) -> None:
    with pytest.raises(PreconditionFailed):
        check_match(said, NOW)


@pytest.mark.parametrize("said", ["", "3", '"3', '"3", 4', '4, "3"', 'w/"3"', '"3" "4"'])
def test_what_is_no_list_of_tags_is_refused_whole(said: str) -> None:
    with pytest.raises(InvalidInput):
        check_match(said, NOW)
