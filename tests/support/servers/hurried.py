"""What a server looks for every few seconds, looked for at once and ever again: tests need not wait for the clock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

PAUSE_SECONDS = 0.1
LOOKS = ["summit:look_for_memory", "summit:look_for_workflows", "summit:look_for_calendars_to_sync"]
ASK = """
insert into procrastinate_jobs (queue_name, task_name, priority, args, status)
select 'default', name, 0, '{"timestamp": 0}', 'todo' from unnest(%s::text[]) as name
where not exists (
    select from procrastinate_jobs
    where task_name = name and (status = 'doing' or status = 'todo' and coalesce(scheduled_at, now()) <= now())
)
"""


@contextmanager
def hurried(database_url: str) -> Iterator[None]:
    """Put the looks of a server with jobs into its queue as soon as the last ones are over."""
    over = threading.Event()

    def ask() -> None:
        with psycopg.connect(database_url, autocommit=True, options="-c search_path=summit,public") as conn:
            while not over.wait(PAUSE_SECONDS):
                conn.execute(ASK, (LOOKS,))

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield
    finally:
        over.set()
        asking.join()
