"""Settings of reminders and their channels: webhooks and mail."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
UNPROTECTED = "a password is sent with SUMMIT_SMTP_SECURITY=none to a server on this machine only; use starttls or tls"


class NoticeSettings(BaseSettings):
    """A part of ``Settings``, which says where they are read from."""

    # Reminders, webhooks and mail
    reminder_look_seconds: float = Field(
        1.0, gt=0, le=60, description="Longest pause between two looks for reminders that come due."
    )
    reminder_lease_seconds: float = Field(
        10.0, ge=1, le=600, description="How long a silent process keeps a due reminder before another may tell it."
    )
    resent_notifications: int = Field(
        50, ge=0, le=1000, description="Unacknowledged notifications sent again when a websocket or stream connects."
    )
    remind_before_days: int = Field(
        35, ge=16, le=400, description="Days ahead for which reminders before imported appointments are set."
    )
    max_webhooks: int = Field(10, ge=0, description="Webhooks that one user may register.")
    webhook_attempts: int = Field(8, ge=1, le=50, description="Attempts to tell a webhook before it is given up.")
    webhook_backoff_seconds: float = Field(
        5.0, gt=0, le=3600, description="Pause after a webhook's first failure; each later one is four times as long."
    )
    smtp_host: str = Field("", description="Mail server for users who gave an address; empty sends no mail.")
    smtp_port: int = Field(587, ge=1, le=65535, description="TCP port of the mail server.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="How the connection to the mail server is protected."
    )
    smtp_username: str = Field("", description="Login name at the mail server; empty logs in nowhere.")
    smtp_password: SecretStr | None = Field(None, description="Password at the mail server.")
    smtp_ca_file: Path | None = Field(
        None, description="Certificates (PEM) that the mail server's is trusted by, besides the system's."
    )
    smtp_from: str = Field("summit@localhost", description="Sender of the mails.")
    snooze_minutes: int = Field(10, ge=1, le=10_080, description="How long a snooze lasts that does not say.")
    notification_days: int = Field(365, ge=7, description="Days for which notifications are kept, settled or not.")
    outbox_days: int = Field(
        30, ge=7, description="Days for which told reminders, settled deliveries to webhooks and failed jobs are kept."
    )

    @field_validator("smtp_username")
    @classmethod
    def _login_is_protected(cls, value: str, known: ValidationInfo) -> str:
        host = known.data.get("smtp_host", "")
        if value and known.data.get("smtp_security") == "none" and host not in LOOPBACK:
            raise ValueError(UNPROTECTED)
        return value
