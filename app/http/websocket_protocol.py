"""What the API description says about the websocket, for which OpenAPI has no words."""

from __future__ import annotations

WEBSOCKET = """
### The websocket `WS /v1/ws`

Connect with `Authorization: Bearer <key>`; a page in a browser, which cannot set headers, offers the subprotocols
`summit.v1` and `summit.key.<key>` instead. A key in the URL is not read. Listening needs the scope `read`, sending
`write`. A refused handshake is answered with the problem document. Then both sides send JSON as text frames.

The client sends:

* `{"type": "turn", "text": "...", "idempotency_key": "..."}`, with `thread_id`, `captured_at`, `timezone`,
  `strategy` and `speak` as in `POST /v1/turns`. Its `turn.accepted` repeats the key. Sent again, here or over HTTP,
  nothing happens twice: the turn's events so far come again, each with its own `seq`.
* `{"type": "cancel", "turn_id": "..."}`: the turn's `turn.done` follows.
* `{"type": "resume", "last_seq": 17}`: go on after that event; as the first frame, or `?last_seq=17` in the URL.
  Without it the stream begins with what happens from now on, with 0 at the oldest event that is kept.
* `{"type": "ack", "notification_id": "..."}`: that `reminder.fired` was seen and need not be sent again.
* `{"type": "ping"}`: answered by an envelope of type `pong`.
* `{"type": "audio.start", "client_id": "..."}`, then sound as binary frames, then `{"type": "audio.end"}` or
  `{"type": "audio.cancel"}`: speak. `docs/api/websocket.md` has the fields and what comes back.

The server sends envelopes `{v, seq, turn_id, type, ts, data}`. Every event of the user, from whichever door, comes
once and in the order of `seq`, without gaps. `error` and `pong` are for this connection only and carry the `seq` of
the event before them, so the last `seq` received is always a place to resume at, at any server of the same database.
So is a `reminder.fired` whose `data` has `again`: whenever a connection begins, what was told before and nobody
acknowledged is sent once more; its `id` tells what you have seen. The `data` of an `error` is the problem document
that HTTP would have sent, with the `idempotency_key`, `turn_id` or `notification_id` of the frame it is about; the
connection stays open. Status 410 means that some of the events asked for are not kept any more; the stream goes on
after `goes_on_after`.

| Close code | Why | What to do |
|---|---|---|
| 1001, 1012 | The server stops or restarts. | Connect again, resume. |
| 1007, 1002 | Not text in UTF-8, or no valid websocket frames. | Mend the client. |
| 1009 | A frame is larger than the server's `max_frame_bytes`. | Send less at once. |
| 1011 | No pong came in time, or the server met an unexpected error. | Connect again, resume. |
| 4401 | The key expired or was revoked. | Connect with a valid key, resume. |
| 4408 | The client took in nothing for `websocket_stall_seconds`. | Read faster, connect again, resume. |
"""
