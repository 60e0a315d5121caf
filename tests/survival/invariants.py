"""What must hold in the database after any crash, race or cancel; each check lists what it found broken."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import psycopg
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.postgres import PostgresSaver
from psycopg.rows import dict_row

from agents.contract import WORKERS, Change
from agents.rendering.changes import claim_sentence
from graph.state import serializer

Connection = psycopg.Connection[dict[str, Any]]


def broken(url: str, *, worded: bool = True) -> list[str]:
    """Every invariant that does not hold, as sentences; ``worded`` where replies hold nothing but claims."""
    with psycopg.connect(url, autocommit=True, row_factory=dict_row) as conn:
        conn.execute("set search_path = summit, public")
        checks = (open_turns, false_replies, records_unlike_ledger, forks, bad_histories, bad_messages, bad_events)
        return [found for check in checks if worded or check is not false_replies for found in check(conn)]


def open_turns(conn: Connection) -> list[str]:
    """Acknowledged is answered: no turn is left."""
    rows = conn.execute("select id, state from turns where state in ('queued', 'running')").fetchall()
    return [f"turn {row['id']} is still {row['state']}" for row in rows]


def false_replies(conn: Connection) -> list[str]:
    """The reply of a turn that only acted is exactly what its ledger rows say, each effect once."""
    turns = conn.execute("select * from turns where state = 'done' and result->>'disposition' = 'dispatch'").fetchall()
    return [
        f"turn {turn['id']} says {turn['result']['reply']!r}, its rows say {expected!r}"
        for turn in turns
        if turn["result"]["reply"] != (expected := _claims(conn, turn))
    ]


def _claims(conn: Connection, turn: dict[str, Any]) -> str:
    rows = conn.execute("select * from changes where turn_id = %s order by cursor", (turn["id"],)).fetchall()
    changes = sorted(map(_change, rows), key=lambda c: (WORKERS.index(c.agent), c.seq))
    now = turn["captured_at"].astimezone(ZoneInfo(turn["timezone"]))
    return " ".join(claim_sentence(change, now) for change in changes)


def _change(row: dict[str, Any]) -> Change:
    texts = {name: str(row[name]) if row[name] else None for name in ("id", "turn_id", "undo_of", "confirms")}
    known = {name: value for name, value in row.items() if name in Change.model_fields}
    return Change.model_validate({**known, **texts})


def records_unlike_ledger(conn: Connection) -> list[str]:
    """A record is what its last change made of it, and nothing is stored that no change explains."""
    last = conn.execute("""
        select distinct on (user_id, kind, record_id) kind || '.' || user_id as prefix, record_id as key, after
        from changes where status = 'applied' order by user_id, kind, record_id, cursor desc""").fetchall()
    wanted = {(row["prefix"], row["key"]): row["after"] for row in last if row["after"] is not None}
    rows = conn.execute("select prefix, key, value from store where split_part(prefix, '.', 1) <> 'user'").fetchall()
    stored = {(row["prefix"], row["key"]): row["value"] for row in rows}
    return [
        f"record {key} differs from the ledger" for key in wanted.keys() | stored if wanted.get(key) != stored.get(key)
    ]


def forks(conn: Connection) -> list[str]:
    """Each checkpoint has at most one child, and a thread one beginning."""
    children = conn.execute("""
        select thread_id, parent_checkpoint_id as parent, count(*) as n from checkpoints
        where checkpoint_ns = '' and parent_checkpoint_id is not null group by 1, 2 having count(*) > 1""").fetchall()
    roots = conn.execute("""
        select thread_id, count(*) as n from checkpoints c where checkpoint_ns = '' and not exists (
            select 1 from checkpoints p where p.thread_id = c.thread_id and p.checkpoint_id = c.parent_checkpoint_id)
        group by 1 having count(*) > 1""").fetchall()
    found = [f"checkpoint {row['parent']} of {row['thread_id']} has {row['n']} children" for row in children]
    return found + [f"thread {row['thread_id']} begins {row['n']} times" for row in roots]


def bad_histories(conn: Connection) -> list[str]:
    """The messages that a model would see are valid in every thread."""
    saver = PostgresSaver(conn, serde=serializer())
    threads = conn.execute("select distinct thread_id from checkpoints").fetchall()
    found = []
    for row in threads:
        saved = saver.get_tuple({"configurable": {"thread_id": row["thread_id"]}})
        messages = saved.checkpoint["channel_values"].get("messages", []) if saved else []
        if problem := fault_of(messages):
            found.append(f"thread {row['thread_id']}: {problem}")
    return found


def fault_of(messages: list[AnyMessage]) -> str | None:
    """What a model's API would refuse: calls without results, results without calls, the same message twice."""
    open_calls: set[str] = set()
    ids = [message.id for message in messages]
    for message in messages:
        if isinstance(message, ToolMessage):
            if message.tool_call_id not in open_calls:
                return f"a result without its call ({message.tool_call_id})"
            open_calls.discard(message.tool_call_id)
        elif open_calls:
            return f"calls without results: {open_calls}"
        elif isinstance(message, AIMessage):
            open_calls = {str(call["id"]) for call in message.tool_calls}
    if messages and not isinstance(messages[0], HumanMessage):
        return "it does not begin with the user"
    return "a message twice" if len(ids) != len(set(ids)) else None


def bad_messages(conn: Connection) -> list[str]:
    """The full history: question and answer in the turns' order, numbered without gaps."""
    rows = conn.execute("""
        select m.thread_id, m.seq, m.role, t.seq as turn,
               row_number() over (partition by m.thread_id order by m.seq) as place,
               lag(t.seq) over (partition by m.thread_id order by m.seq) as before
        from messages m join turns t on t.id = m.turn_id order by m.thread_id, m.seq""").fetchall()
    return [
        f"message {row['seq']} of thread {row['thread_id']} is out of place"
        for row in rows
        if row["seq"] != row["place"]
        or row["role"] != ("user" if row["place"] % 2 else "assistant")
        or (
            row["before"] is not None
            and (row["turn"] < row["before"] or (row["place"] % 2 == 0) != (row["turn"] == row["before"]))
        )
    ]


def bad_events(conn: Connection) -> list[str]:
    """Numbers without gaps; a turn's events begin with its acceptance and end, once, with turn.done."""
    gaps = conn.execute("""
        select c.user_id from counters c where c.event_seq <> (
            select coalesce(max(seq) - min(seq) + min(seq), 0) from turn_events e where e.user_id = c.user_id)
        or (select count(*) <> coalesce(max(seq) - min(seq) + 1, 0) from turn_events e where e.user_id = c.user_id)
        """).fetchall()
    turns = conn.execute("""
        select e.turn_id, array_agg(e.type order by e.seq) as types from turn_events e
        join turns t on t.id = e.turn_id group by e.turn_id""").fetchall()
    return [f"the events of user {row['user_id']} have gaps" for row in gaps] + [
        f"turn {row['turn_id']} has events {row['types']}"
        for row in turns
        if row["types"][0] != "turn.accepted" or row["types"][-1] != "turn.done" or row["types"].count("turn.done") != 1
    ]
