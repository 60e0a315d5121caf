"""Under which name a worker hands jobs what they work with."""

from __future__ import annotations

SERVICES = "services"
