"""The statements of the inbox. Each is one step in the life of a turn."""

from __future__ import annotations

# What a turn that begins to run is told of its user: it costs no trip of its own.
SETTINGS = "(select u.settings from users u where u.user_id = turns.user_id) as settings"

BY_KEY = "select * from turns where user_id = %(user_id)s and idempotency_key = %(key)s"
GET = "select * from turns where user_id = %(user_id)s and id = %(id)s"

# Locks the thread: whoever comes next waits here, so seq is the order of acknowledgement.
TAKE_SEQ = """
update threads set next_seq = next_seq + 1, updated_at = now()
where user_id = %(user_id)s and id = %(thread_id)s
returning status
"""

# Statements of their own: only a snapshot taken after the lock sees the turn that was accepted just before.
COUNT_OPEN = """
select count(*) as turns from turns
where user_id = %(user_id)s and thread_id = %(thread_id)s and state in ('queued', 'running')
"""

INSERT = f"""
insert into turns (user_id, id, thread_id, seq, idempotency_key, body_hash, text, memo_id, captured_at, timezone,
                   state, lease_until, lease_generation, attempt)
select %(user_id)s, %(id)s, t.id, t.next_seq - 1, %(key)s, %(body_hash)s, %(text)s::text, %(memo_id)s, %(captured_at)s,
       %(timezone)s, case when free.now then 'running' else 'queued' end,
       case when free.now then now() + make_interval(secs => %(lease)s) end,
       free.now::int, free.now::int
from threads t,
     lateral (select %(text)s::text is not null and not exists (
                  select 1 from turns o where o.user_id = t.user_id and o.thread_id = t.id
                                          and o.state in ('queued', 'running')) as now) free
where t.user_id = %(user_id)s and t.id = %(thread_id)s
on conflict (user_id, idempotency_key) where idempotency_key is not null do nothing
returning *, {SETTINGS}
"""  # noqa: S608

INSERT_MEMO = """
insert into memos (user_id, id, captured_at, timezone, state, turn_id, container, size, sha256)
values (%(user_id)s, %(id)s, %(captured_at)s, %(timezone)s, 'received', %(turn_id)s, %(container)s, %(size)s,
        %(sha256)s)
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
update turns set state = 'queued', lease_until = null
where user_id = %(user_id)s and id = %(id)s and state = 'running' and lease_generation = %(generation)s
"""

FINISH = """
update turns set state = %(state)s, result = %(result)s, usage = %(usage)s, lease_until = null, finished_at = now()
where user_id = %(user_id)s and id = %(id)s and state = 'running' and lease_generation = %(generation)s
returning *
"""

# The question of an earlier turn is answered, or dropped, once a later turn of the thread is done.
ANSWERED = """
update turns set state = 'done'
where user_id = %(user_id)s and thread_id = %(thread_id)s and state = 'waiting' and seq < %(seq)s
"""

# Locks the thread: who counts what waits after this misses nobody.
KEEP_MESSAGES = """
with told as (
    update threads set message_count = message_count + 2, updated_at = now()
    where user_id = %(user_id)s and id = %(thread_id)s
    returning message_count)
insert into messages (user_id, thread_id, seq, turn_id, role, content, token_count)
select %(user_id)s, %(thread_id)s, told.message_count - 1 + part.n, %(id)s, part.role, part.content, part.tokens
from told, (values (0, 'user', %(said)s::text, %(said_tokens)s::int),
                   (1, 'assistant', %(replied)s::text, %(replied_tokens)s::int)) as part (n, role, content, tokens)
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
update turns set text = %(text)s, unsure = %(unsure)s, canned_reply = %(reply)s
where user_id = %(user_id)s and memo_id = %(memo_id)s and state = 'queued' and text is null
returning *
"""
