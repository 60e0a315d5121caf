"""Under which name a worker hands jobs what they work with, and the queues that have workers."""

from __future__ import annotations

SERVICES = "services"
SPEECH = "speech"
MEMORY = "memory"
TOPICS = "topics"
RUNS = "runs"
WORKFLOWS = "workflows"
CALENDARS_IN_STEP = "calendar_sync"
SHARED_QUEUES = ("default", "calendars")
