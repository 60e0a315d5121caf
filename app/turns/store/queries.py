"""The statements of the inbox. Each is one step in the life of a turn."""

from __future__ import annotations

# What a turn that begins to run is told of its user: it costs no trip of its own.
SETTINGS = "(select u.settings from users u where u.user_id = turns.user_id) as settings"

GIVE_BACK = "select release_turn_credits(%s, %s)"
IS_KNOWN_KEY = "select 1 from turns where user_id = %s and idempotency_key = %s"
SENT_BEFORE = """
select * from (
    select * from turns where user_id = %(user_id)s and thread_id = %(thread_id)s order by seq desc limit 20
) latest
where body_hash = %(body_hash)s and created_at > now() - interval '1 hour' order by seq desc limit 1
"""
OF_THREAD = """
select * from turns where user_id = %(user_id)s and thread_id = %(thread_id)s order by seq desc limit %(limit)s
"""
GET = "select * from turns where user_id = %(user_id)s and id = %(id)s"
CLIENT_DATA = "select id, client from turns where user_id = %s and id = any(%s) and client is not null"

# Everything below that is a function does its whole step in one trip; see app/database/migrations/02_conversation.sql.
ACCEPT = """
select verdict, waiting, settings, (accepted).*
from accept_turn(%(user_id)s, %(thread_id)s, %(id)s, %(key)s, %(body_hash)s, %(text)s, %(memo_id)s, %(captured_at)s,
                 %(timezone)s, %(usual_timezone)s, %(lease)s, %(alone)s, %(most)s, %(most_of_user)s)
"""

INSERT_MEMO = """
insert into memos (user_id, id, captured_at, timezone, state, turn_id, container, size, sha256, title, external_id)
values (%(user_id)s, %(id)s, %(captured_at)s, %(timezone)s, 'received', %(turn_id)s, %(container)s, %(size)s,
        %(sha256)s, %(title)s, %(external_id)s)
on conflict (user_id, id) do update set state = 'received', turn_id = excluded.turn_id, container = excluded.container,
    size = excluded.size, sha256 = excluded.sha256, updated_at = now() where memos.state = 'receiving'
"""

READING = "update turns set reading = %(reading)s where user_id = %(user_id)s and id = %(id)s"
BORROWED = "update turns set borrowed = true where user_id = %(user_id)s and id = %(id)s"
CLIENT = "update turns set client = %(client)s where user_id = %(user_id)s and id = %(id)s"
SPEAKING = "update turns set speak = true where user_id = %(user_id)s and id = %(id)s"
ANSWERING = """
update turns set answers = %(answers)s, question = %(question)s where user_id = %(user_id)s and id = %(id)s
"""

# The head of the queue: a turn without words waits for them, any other for the head alone.
TURNS_AHEAD = """
select t.id as turn_id, m.state as memo_state, m.reason
from turns t left join memos m on t.text is null and m.user_id = t.user_id and m.id = t.memo_id
where t.user_id = %(user_id)s and t.thread_id = %(thread_id)s and t.state in ('queued', 'running')
order by t.seq limit 1
"""

# What ended a turn's question: the answer that a door gave it, else whatever came next in its thread. A message that
# was cancelled or failed ends none.
FOLLOW_UP = """
select * from (
    (select * from turns where user_id = %(user_id)s and answers = %(id)s order by seq limit 1)
    union all
    (select * from turns where user_id = %(user_id)s and thread_id = %(thread_id)s and seq > %(seq)s
       and state in ('queued', 'running', 'done', 'waiting') order by seq limit 1)
) later order by answers is distinct from %(id)s limit 1
"""

# Only the head of the queue may run, and only when its words are there (a clip's come later).
CLAIM = f"""
update turns set state = 'running', lease_until = now() + make_interval(secs => %(lease)s),
                 lease_generation = lease_generation + 1, attempt = attempt + 1
where user_id = %(user_id)s
  and id = (select id from turns where user_id = %(user_id)s and thread_id = %(thread_id)s
            and state in ('queued', 'running') order by seq limit 1)
  and text is not null
  and (state = 'queued' or (state = 'running' and lease_until < now()))
returning *, {SETTINGS}
"""  # noqa: S608

RENEW = """
update turns set lease_until = now() + make_interval(secs => %(lease)s)
where user_id = %(user_id)s and id = %(id)s and state = 'running' and lease_generation = %(generation)s
returning cancel_requested
"""

# From here on nobody who worked under the old generation can write; a write under way is waited for.
SEAL = """
update turns set lease_generation = lease_generation + 1
where user_id = %(user_id)s and id = %(id)s and state = 'running' and lease_generation = %(generation)s
returning *
"""

# A message that was accepted before interrupts nothing, itself least of all.
IN_THE_WAY = """
select * from turns where user_id = %(user_id)s and thread_id = %(thread_id)s and state = 'running'
  and not exists (select 1 from turns t where t.user_id = %(user_id)s and t.idempotency_key = %(key)s)
"""

RELEASE = """
update turns set state = 'queued', lease_until = null, attempt = attempt - %(uncounted)s
where user_id = %(user_id)s and id = %(id)s and state = 'running' and lease_generation = %(generation)s
returning *
"""

FINISH = """
select more, (finished).*
from finish_turn(%(user_id)s, %(id)s, %(generation)s, %(state)s, %(result)s, %(usage)s, %(replied)s, %(said_tokens)s,
                 %(replied_tokens)s, %(types)s, %(data)s)
"""

# A yes to uncertain words is committed with the turn that acts on them.
HEARD_RIGHT = """
update memos set state = 'transcribed', reason = null, turn_id = %(id)s, updated_at = now()
where user_id = %(user_id)s and id = %(memo_id)s and state = 'needs_you'
"""

CANCEL = """
update turns set cancel_requested = true,
    state = case when state = 'queued' then 'cancelled' else state end,
    result = case when state = 'queued' then %(result)s else result end,
    finished_at = case when state = 'queued' then now() else finished_at end
where user_id = %(user_id)s and id = %(id)s and state in ('queued', 'running')
returning *, state = 'cancelled' as just_cancelled
"""

TRANSCRIBED = """
update turns set text = %(text)s, unsure = %(unsure)s, breaks_off = %(breaks_off)s, canned_reply = %(reply)s
where user_id = %(user_id)s and memo_id = %(memo_id)s and state = 'queued' and text is null
returning *
"""
