"""Looking back over the ledger: what was changed then, or under that name."""

from __future__ import annotations

from typing import Any

from agents.contract import Lookback

RECORDER = "recorder"
"""The agent of recordings; who looks back over what was done is told what was made of them instead."""

# Titles are compared row by row, so a search stops after so many (reach) of the user's latest changes.
HISTORY = """
select {columns} from (
    select * from (
        select * from changes
        where user_id = %(user_id)s and status = 'applied' and agent <> %(recorder)s
          and (%(since)s::timestamptz is null or created_at >= %(since)s)
          and (%(until)s::timestamptz is null or created_at < %(until)s)
        order by created_at desc, cursor desc limit %(reach)s
    ) as latest
    where %(titles)s::text[] = '{{}}' or title ilike any(%(titles)s::text[])
    order by created_at desc, cursor desc limit %(limit)s
) as changes order by created_at, cursor
"""

# Of one kind, by the index on records: what is found does not depend on how much else was done.
HISTORY_OF_KIND = """
select {columns} from (
    select * from changes
    where user_id = %(user_id)s and kind = %(kind)s and status = 'applied'
      and (%(since)s::timestamptz is null or created_at >= %(since)s)
      and (%(until)s::timestamptz is null or created_at < %(until)s)
      and (%(titles)s::text[] = '{{}}' or title ilike any(%(titles)s::text[]))
    order by record_id desc, cursor desc limit %(limit)s
) as changes order by created_at, cursor
"""


def history_query(look: Lookback) -> str:
    """The statement that looks back."""
    return HISTORY_OF_KIND if look.kind else HISTORY


def looked_for(user_id: str, look: Lookback, limit: int, reach: int) -> dict[str, Any]:
    """The values of HISTORY."""
    titles = [f"%{_literal(word)}%" for word in look.words]
    return {
        "user_id": user_id,
        "since": look.since,
        "until": look.until,
        "titles": titles,
        "recorder": RECORDER,
        "kind": look.kind,
        "limit": limit,
        "reach": reach,
    }


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
