"""Who may call each route, what its ids name, and a valid request of it: one row for each route of the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

JFK = (Path(__file__).parents[4] / "data" / "jfk.flac").read_bytes()

# After a route: the scopes that a key needs, all of them (r read, w write, a admin); A if the administrator may; - if
# anyone may. A feed is opened by the token in its address, and the page's own door by what its body or cookie proves.
TABLE = """
POST /v1/turns rw
GET /v1/turns/{turn_id} r
POST /v1/turns/{turn_id}/cancel rw
POST /v1/turns/{turn_id}/undo rw
POST /v1/turns/{turn_id}/confirm rw
GET /v1/turns/{turn_id}/events r
GET /v1/turns/{turn_id}/speech r
POST /v1/understand w
GET /v1/stream r
WS /v1/ws r
GET /v1/todos r
POST /v1/todos w
GET /v1/todos/{record_id} r
PATCH /v1/todos/{record_id} w
DELETE /v1/todos/{record_id} w
GET /v1/events r
POST /v1/events w
GET /v1/events/{record_id} r
PATCH /v1/events/{record_id} w
DELETE /v1/events/{record_id} w
GET /v1/notes r
POST /v1/notes w
GET /v1/notes/{record_id} r
PATCH /v1/notes/{record_id} w
DELETE /v1/notes/{record_id} w
GET /v1/instructions r
POST /v1/instructions w
GET /v1/instructions/{record_id} r
PATCH /v1/instructions/{record_id} w
DELETE /v1/instructions/{record_id} w
GET /v1/profile r
PATCH /v1/profile w
GET /v1/profile/history r
GET /v1/freebusy r
GET /v1/occurrences r
GET /v1/calendars r
POST /v1/calendars w
GET /v1/calendars/{calendar_id} r
DELETE /v1/calendars/{calendar_id} w
GET /v1/calendar r
POST /v1/calendar rw
DELETE /v1/calendar w
GET /v1/calendar/{token}.ics -
HEAD /v1/calendar/{token}.ics -
GET /v1/calendar-accounts r
POST /v1/calendar-accounts w
GET /v1/calendar-accounts/{account_id} r
PATCH /v1/calendar-accounts/{account_id} w
DELETE /v1/calendar-accounts/{account_id} w
GET /v1/calendar-accounts/{account_id}/calendars r
GET /v1/calendar-accounts/{account_id}/calendars/{calendar_id} r
PATCH /v1/calendar-accounts/{account_id}/calendars/{calendar_id} w
POST /v1/calendar-accounts/{account_id}/calendars/{calendar_id}/sync w
POST /v1/calendar-accounts/{account_id}/calendars/{calendar_id}/gone w
POST /v1/google-accounts/begin w
POST /v1/google-accounts w
GET /back-from-google -
GET /v1/mail-accounts r
POST /v1/mail-accounts w
GET /v1/mail-accounts/{account_id} r
PATCH /v1/mail-accounts/{account_id} w
DELETE /v1/mail-accounts/{account_id} w
GET /v1/outgoing-mail r
GET /v1/outgoing-mail/{mail_id} r
POST /v1/outgoing-mail/{mail_id}/approve w
POST /v1/outgoing-mail/{mail_id}/reject w
GET /v1/calendar-conflicts r
POST /v1/calendar-conflicts/{conflict_id}/resolve w
GET /v1/changes r
GET /v1/changes/{change_id} r
POST /v1/changes/{change_id}/undo w
GET /v1/threads r
POST /v1/threads w
GET /v1/threads/{thread_id} r
PATCH /v1/threads/{thread_id} w
DELETE /v1/threads/{thread_id} w
GET /v1/threads/{thread_id}/messages r
POST /v1/memos w
GET /v1/memos r
GET /v1/memos/{memo_id} r
PATCH /v1/memos/{memo_id} w
DELETE /v1/memos/{memo_id} w
POST /v1/memos/{memo_id}/retry w
GET /v1/memos/{memo_id}/audio r
GET /v1/memos/{memo_id}/audio/part r
GET /v1/memos/{memo_id}/transcripts r
POST /v1/memos/uploads w
HEAD /v1/memos/uploads/{memo_id} r
GET /v1/memos/uploads/{memo_id} r
PATCH /v1/memos/uploads/{memo_id} w
DELETE /v1/memos/uploads/{memo_id} w
POST /v1/memos/uploads/{memo_id}/finish w
GET /v1/memory r
GET /v1/memory/about r
POST /v1/memory/search w
POST /v1/memory/ask w
GET /v1/topics r
GET /v1/topics/{topic_id} r
GET /v1/insights r
GET /v1/notifications r
POST /v1/notifications/{notification_id}/ack w
POST /v1/notifications/{notification_id}/snooze w
POST /v1/notifications/{notification_id}/done w
POST /v1/export wa
GET /v1/exports/{export_id} ra
PUT /v1/import wa
POST /v1/erase wa
GET /v1/projects ra
POST /v1/projects wa
GET /v1/projects/{project_id} ra
DELETE /v1/projects/{project_id} wa
POST /v1/projects/{project_id}/scan wa
GET /v1/projects/{project_id}/trees ra
DELETE /v1/projects/{project_id}/trees wa
GET /v1/projects/{project_id}/diff ra
GET /v1/agents ra
POST /v1/agents/{name}/test wa
GET /v1/webhooks r
POST /v1/webhooks rw
DELETE /v1/webhooks/{webhook_id} w
GET /v1/webhooks/{webhook_id}/deliveries r
POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/again w
GET /v1/runs r
POST /v1/runs w
GET /v1/runs/switch r
PUT /v1/runs/switch wA
GET /v1/runs/grants/{user_id} A
PUT /v1/runs/grants/{user_id} A
GET /v1/runs/{run_id} r
GET /v1/runs/{run_id}/events r
POST /v1/runs/{run_id}/cancel w
POST /v1/runs/{run_id}/message w
GET /v1/runs/{run_id}/approvals r
POST /v1/runs/{run_id}/approvals w
GET /v1/lessons r
PATCH /v1/lessons/{lesson_id} w
DELETE /v1/lessons/{lesson_id} w
GET /v1/tool-servers ra
GET /v1/workflows r
GET /v1/workflows/{slug} r
PUT /v1/workflows/{slug} w
DELETE /v1/workflows/{slug} w
POST /v1/workflows/{slug}/runs w
GET /v1/workflows/{slug}/runs r
GET /v1/workflows/{slug}/runs/{run_id} r
POST /v1/workflows/{slug}/runs/{run_id}/cancel w
GET /v1/workflow-starters r
GET /v1/settings r
PATCH /v1/settings rw
GET /v1/providers rA
POST /v1/providers wA
DELETE /v1/providers/{slug} wA
POST /v1/providers/{slug}/test wA
POST /v1/providers/discover A
POST /v1/providers/measure A
PUT /v1/models/{capability} wA
DELETE /v1/models/{capability} wA
GET /v1/credits r
POST /v1/credits A
GET /v1/usage r
GET /v1/keys a
POST /v1/keys a
DELETE /v1/keys/{key_id} a
GET /v1/users A
POST /v1/users A
GET /v1/audit aA
GET /livez -
GET /readyz -
GET /metrics -
GET /v1/version -
GET /docs -
GET /openapi.json -
GET / -
GET /session session
POST /session -
DELETE /session session
GET /v1/models r
GET /v1/models/{name} r
POST /v1/chat/completions rw
POST /v1/audio/transcriptions w
POST /v1/audio/speech w
POST /v1/embeddings w
POST /mcp r
POST /agui rw
GET /lg/ok -
GET /lg/info r
POST /lg/assistants/search r
GET /lg/assistants/{name} r
GET /lg/assistants/{name}/graph r
GET /lg/assistants/{name}/schemas r
POST /lg/threads rw
POST /lg/threads/search r
GET /lg/threads/{thread_id} r
DELETE /lg/threads/{thread_id} rw
GET /lg/threads/{thread_id}/state r
POST /lg/threads/{thread_id}/history r
PATCH /lg/threads/{thread_id} rw
POST /lg/threads/{thread_id}/state/checkpoint r
GET /lg/threads/{thread_id}/state/{checkpoint_id} r
POST /lg/threads/{thread_id}/copy rw
GET /lg/threads/{thread_id}/runs r
PUT /lg/store/items rw
GET /lg/store/items r
DELETE /lg/store/items rw
POST /lg/store/items/search r
POST /lg/store/namespaces rw
POST /lg/runs rw
POST /lg/threads/{thread_id}/runs rw
POST /lg/runs/wait rw
POST /lg/threads/{thread_id}/runs/wait rw
POST /lg/runs/stream rw
POST /lg/threads/{thread_id}/runs/stream rw
GET /lg/threads/{thread_id}/runs/{run_id} r
GET /lg/threads/{thread_id}/runs/{run_id}/join r
GET /lg/threads/{thread_id}/runs/{run_id}/stream r
POST /lg/threads/{thread_id}/runs/{run_id}/cancel rw
"""

# What an id in a path names, by the beginning of the path where that decides.
NAMED: Mapping[str, str] = {
    "/v1/todos record_id": "todo",
    "/v1/events record_id": "event",
    "/v1/notes record_id": "note",
    "/v1/instructions record_id": "instruction",
    "/v1/memos/uploads memo_id": "upload",
    "/v1/workflows run_id": "workflow_run",
    "/v1/workflows slug": "workflow",
    "/v1/providers slug": "provider",
    "/v1/mail-accounts account_id": "mail_account",
    "/v1/calendar-accounts calendar_id": "synced_calendar",
    "/lg run_id": "lg_run",
    "/lg thread_id": "lg_thread",
    "/v1/models capability": "capability",
    "/v1/models name": "model",
    "/v1/agents name": "agent",
    "/lg name": "assistant",
}
# Names that everybody has of their own, or that everybody shares: another user's is as good as one's own.
OWN_NAMES = frozenset("workflow provider capability model agent assistant client external run_name folder".split())
# Ids that clients may choose for what they make: where another user has one, too, there are two things.
CHOSEN: Mapping[str, frozenset[str]] = {
    "POST /agui": frozenset({"thread"}),
    "POST /lg/threads": frozenset({"lg_thread"}),
}

HOW = ("", "/wait", "/stream")
STEP = {"id": "s", "kind": "notify", "text": "tea"}
SAID = {"input": {"messages": [{"role": "user", "content": "hello"}]}, "assistant_id": "@assistant"}
CHAT = {"model": "summit", "messages": [{"role": "user", "content": "hello"}]}
AGUI: dict[str, Any] = {"state": {}, "tools": [], "context": [], "forwardedProps": {}}
TOOL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


@dataclass(frozen=True)
class Ask:
    """A valid request but for its path; ``@todo`` stands for the id of somebody's todo, wherever it is."""

    json: Any = None
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    files: Mapping[str, tuple[str, bytes, str]] | None = None
    path: Mapping[str, str] = field(default_factory=dict)


def _record(fields: dict[str, Any], **more: Any) -> list[Ask]:
    return [Ask({**fields, **more})]


CLIP = {"audio": ("a.flac", b"fLaC", "audio/flac")}
SPEAKS_MCP = {"Accept": "application/json, text/event-stream"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("complete_task", {"id": "@todo", "request_id": "@run_name:1"}),
    ("move_task", {"id": "@todo", "list": "tea", "request_id": "@run_name:2"}),
    ("undo", {"change_id": "@change", "request_id": "@run_name:3"}),
    ("undo", {"turn_id": "@turn"}),
    ("say", {"text": "hello", "thread_id": "@thread", "request_id": "@run_name:4"}),
    ("ask", {"question": "tea", "thread_id": "@thread"}),
    ("add_task", {"task": "tea", "request_id": "@run_name:5"}),
    ("note", {"content": "tea", "request_id": "@run_name:6"}),
    ("index_memo", {"transcript": "tea", "request_id": "@run_name:7"}),
    ("schedule", {"title": "tea", "start": "2027-01-01T10:00:00Z", "request_id": "@run_name:8"}),
]
# Only routes that need more than their path; several where one request cannot hold every id.
ASKS: Mapping[str, list[Ask]] = {
    "POST /v1/turns": [
        Ask({"text": "hello", "thread_id": "@thread"}),
        Ask({"text": "hello", "answers": "@asked", "thread_id": "@asked_thread"}),
        Ask(
            {
                "text": "call mom at 5",
                "reading": [{"op": "update", "kind": "todo", "record_id": "@todo", "fields": {"priority": "high"}}],
            }
        ),
    ],
    "GET /v1/changes": [Ask(query={"record_id": "@todo"})],
    "POST /v1/turns/{turn_id}/confirm": [
        Ask({"accept": True, "changes": ["@held"]}, path={"turn_id": "asked"}),
    ],
    "POST /v1/understand": [Ask({"text": "hello", "thread_id": "@thread"})],
    "GET /v1/freebusy": [Ask(query={"from": "2026-11-20", "to": "2026-11-21"})],
    "GET /v1/occurrences": [Ask(query={"from": "2026-11-20", "to": "2026-11-21"})],
    "POST /v1/todos": _record({"task": "tea"}),
    "PATCH /v1/todos/{record_id}": _record({"priority": "high"}),
    "POST /v1/events": _record({"title": "tea", "start": "2027-01-01T10:00:00Z"}, task_id="@todo"),
    "PATCH /v1/events/{record_id}": _record({"location": "here"}, task_id="@todo"),
    "POST /v1/notes": _record({"content": "tea"}),
    "PATCH /v1/notes/{record_id}": _record({"tags": ["tea"]}),
    "POST /v1/instructions": _record({"text": "be brief"}),
    "PATCH /v1/instructions/{record_id}": _record({"text": "be brief"}),
    "PATCH /v1/profile": _record({"location": "here"}),
    "POST /v1/calendars": [Ask(files={"file": ("a.ics", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "text/calendar")})],
    "POST /v1/calendar-accounts": _record({"url": "https://1.1.1.1/dav", "username": "ana", "password": "secret"}),
    "PATCH /v1/calendar-accounts/{account_id}": _record({"password": "secret"}),
    "PATCH /v1/calendar-accounts/{account_id}/calendars/{calendar_id}": _record({"direction": "off"}),
    "POST /v1/calendar-accounts/{account_id}/calendars/{calendar_id}/gone": _record({"delete": False}),
    "POST /v1/google-accounts": _record({"answer": "https://1.1.1.1/?state=tea&code=tea"}),
    "POST /v1/mail-accounts": _record(
        {"name": "tea", "address": "a@b.org", "password": "secret", "smtp": {"host": "127.0.0.1"}}
    ),
    "PATCH /v1/mail-accounts/{account_id}": _record({"password": "secret"}),
    "POST /v1/calendar-conflicts/{conflict_id}/resolve": _record({"keep": "here"}),
    "POST /v1/calendar": _record({"todos": "event"}),
    "POST /v1/threads": _record({"title": "tea"}),
    "PATCH /v1/threads/{thread_id}": _record({"title": "tea"}),
    "POST /v1/memos": [
        Ask({"transcript": "tea", "external_id": "@external"}),
        Ask({"transcript": "hello", "act": True, "thread_id": "@thread"}),
    ],
    "PATCH /v1/memos/{memo_id}": _record({"title": "tea"}),
    "POST /v1/memos/{memo_id}/retry": [Ask(path={"memo_id": "failed_memo"})],
    "GET /v1/memos/{memo_id}/audio": [Ask(path={"memo_id": "recording"})],
    "GET /v1/memos/{memo_id}/audio/part": [
        Ask(query={"start_ms": "0", "end_ms": "900"}, path={"memo_id": "recording"}),
    ],
    "PATCH /v1/lessons/{lesson_id}": _record({"text": "tea"}),
    "POST /v1/memos/uploads": [Ask({"client_id": "@client", "act": True, "thread_id": "@thread"})],
    "PATCH /v1/memos/uploads/{memo_id}": [Ask(headers={"Upload-Offset": str(len(JFK) - 4)}, content=JFK[-4:])],
    "GET /v1/memory/about": [Ask(query={"subject": "marmalade"})],
    "POST /v1/memory/search": _record({"query": "secret"}),
    "POST /v1/memory/ask": _record({"question": "what is the secret of it?", "thread_id": "@thread"}),
    "POST /v1/notifications/{notification_id}/snooze": _record({"minutes": 15}),
    "POST /v1/projects": _record({"name": "turns", "root": "@folder"}),
    "GET /v1/projects/{project_id}/diff": [Ask(query={"branch": "summit/tea"})],
    "POST /v1/agents/{name}/test": [Ask()],
    "POST /v1/erase": _record({"confirm": "erase everything"}),
    "POST /v1/webhooks": _record({"url": "https://1.1.1.1/hook"}),
    "POST /v1/runs": [
        Ask({"goal": "tea", "thread_id": "@thread"}),
        Ask({"goal": "tea", "project": {"project_id": "@project"}}),
    ],
    "PUT /v1/runs/switch": _record({"engaged": False}),
    "PUT /v1/runs/grants/{user_id}": _record({"programs": [], "roots": []}),
    "POST /v1/runs/{run_id}/message": _record({"text": "tea"}),
    "POST /v1/runs/{run_id}/approvals": [Ask({"approval_id": "@approval", "action": "reject"})],
    "PUT /v1/workflows/{slug}": [Ask({"slug": "@workflow", "name": "Tea", "steps": [STEP]})],
    "POST /v1/workflows/{slug}/runs": [Ask({})],
    "PATCH /v1/settings": _record({"language": "en"}),
    "POST /v1/providers": _record({"slug": "nobody", "api_key": "0123456789"}),
    "POST /v1/providers/measure": _record({"base_url": "http://127.0.0.1:9/v1", "model": "none"}),
    "PUT /v1/models/{capability}": _record({"provider": "nobody", "model": "none"}),
    "POST /v1/credits": [Ask({"user_id": "@user", "credits": 5})],
    "POST /v1/keys": _record({"name": "tea"}),
    "POST /v1/users": _record({"name": "Tea"}),
    "POST /v1/chat/completions": [
        Ask(CHAT, headers={"X-Summit-Thread": "@thread"}),
        Ask({**CHAT, "metadata": {"thread_id": "@thread"}}),
        Ask({**CHAT, "metadata": {"chat_id": "@client"}}),
    ],
    "POST /v1/audio/transcriptions": [Ask(files={"file": CLIP["audio"]})],
    "POST /v1/audio/speech": _record({"model": "tts-1", "input": "tea", "voice": "alloy"}),
    "POST /v1/embeddings": _record({"model": "any", "input": "tea"}),
    "POST /mcp": [
        Ask({**TOOL, "params": {"name": name, "arguments": arguments}}, headers=SPEAKS_MCP) for name, arguments in CALLS
    ],
    "POST /agui": [
        Ask(
            {
                **AGUI,
                "threadId": "@thread",
                "runId": "@run_name",
                "messages": [{"id": "m", "role": "user", "content": "hello"}],
            }
        ),
        Ask(
            {
                **AGUI,
                "threadId": "@asked_thread",
                "runId": "@run_name:10",
                "messages": [],
                "resume": [{"interruptId": "@asked", "status": "resolved", "payload": {"approved": True}}],
            }
        ),
    ],
    "POST /lg/assistants/search": [Ask({})],
    "PUT /lg/store/items": [Ask({"namespace": ["tea"], "key": "tea", "value": {"is": "tea"}})],
    "GET /lg/store/items": [Ask(query={"namespace": "tea", "key": "tea"})],
    "DELETE /lg/store/items": [Ask({"namespace": ["tea"], "key": "tea"})],
    "POST /lg/store/items/search": [Ask({})],
    "POST /lg/store/namespaces": [Ask({})],
    "POST /lg/threads": [Ask({"thread_id": "@lg_thread", "if_exists": "do_nothing"})],
    "POST /lg/threads/search": [Ask({})],
    "POST /lg/threads/{thread_id}/history": [
        Ask({"before": {"checkpoint_id": "@checkpoint"}}),
        Ask({"checkpoint": {"checkpoint_id": "@checkpoint"}}),
    ],
    "PATCH /lg/threads/{thread_id}": [Ask({"metadata": {"a": "b"}})],
    "POST /lg/threads/{thread_id}/state/checkpoint": [Ask({"checkpoint": {"checkpoint_id": "@checkpoint"}})],
    **{f"POST /lg/runs{how}": [Ask(SAID)] for how in HOW},
    **{
        f"POST /lg/threads/{{thread_id}}/runs{how}": [
            Ask({**SAID, "checkpoint_id": "@checkpoint"}),
            Ask({**SAID, "checkpoint": {"checkpoint_id": "@checkpoint"}}),
        ]
        for how in HOW
    },
}
