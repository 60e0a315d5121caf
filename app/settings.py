"""Every setting of Summit, in one place: unit, default and a sentence each."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from platformdirs import user_cache_path, user_data_path
from pydantic import AliasChoices, Field, IPvAnyNetwork, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from app.loopback import is_local, is_loopback
from app.notice_settings import NoticeSettings

MEBIBYTE = 1024 * 1024
SHORTEST_ADMIN_KEY = 20
LOCALTIME = Path("/etc/localtime")


class Settings(NoticeSettings):
    """Read from the environment (prefix ``SUMMIT_``) or a ``.env`` file; docs/operate/settings.md lists them all."""

    model_config = SettingsConfigDict(
        env_prefix="SUMMIT_", env_file=".env", env_ignore_empty=True, extra="ignore", populate_by_name=True
    )

    # Where Summit listens and who may talk to it
    host: str = Field(
        "127.0.0.1", description="Address to listen on. Anything but loopback needs at least one API key."
    )
    port: int = Field(8000, ge=0, le=65535, description="TCP port to listen on; 0 picks a free one.")
    public_url: str = Field(
        "",
        description="Address by which browsers reach this server through a proxy with TLS, such as "
        "https://summit.example.org; empty for none.",
    )
    admin_key: SecretStr | None = Field(
        None,
        description="Key that may create users and read everything in /v1/users; at least 20 characters.",
    )
    front_end_key: SecretStr | None = Field(
        None,
        min_length=16,
        description="Key of a front end for several people (Open WebUI, LibreChat): its headers say who speaks. "
        "It opens OpenAI's protocol alone.",
    )
    tls_certificate: Path | None = Field(
        None, description="Certificate (PEM) for `summit serve --tls`; unset means one of its own, made at first use."
    )
    tls_key: Path | None = Field(None, description="The certificate's private key (PEM).")
    oidc_issuer: str = Field(
        "",
        description="Issuer (OpenID Connect) whose tokens (JWT) say who calls, beside keys, such as "
        "https://id.example.org/realms/home; empty for none.",
    )
    oidc_audience: str = Field("", description="The name (`aud`) that its tokens for this server carry.")
    oidc_new_users: bool = Field(
        True, description="Whether somebody with a valid token whom Summit does not know becomes a user."
    )
    oidc_scopes: list[Literal["read", "write", "admin"]] = Field(
        ["read", "write", "admin"],
        description="What such a token allows its user (JSON list).",
    )
    session_days: float = Field(
        30.0, gt=0, le=400, description="How long the page stays signed in, in days; never longer than its key lasts."
    )
    allowed_hosts: list[str] = Field(
        default_factory=list, description="Host names accepted besides loopback and HOST (JSON list)."
    )
    allowed_origins: list[str] = Field(
        default_factory=list, description="Web origins that may call the API from a browser (JSON list, CORS)."
    )

    # Addresses that people give: webhooks, subscribed calendars
    allowed_networks: list[IPvAnyNetwork] = Field(
        default_factory=list,
        description="Private networks that webhooks and subscriptions may reach (JSON list such as [192.168.1.0/24]).",
    )
    outbound_seconds: float = Field(
        10.0, gt=0, le=300, description="Longest call of such an address, redirects included."
    )

    # Tools of other servers
    mcp_servers: Path | None = Field(
        None,
        description="File (JSON, `mcpServers`) with MCP servers whose tools runs may use; read for each run.",
    )
    mcp_seconds: float = Field(30.0, gt=0, le=600, description="Longest answer of such a server, in seconds.")

    # Projects: folders of code
    project_folders: list[Path] = Field(
        default_factory=list,
        description="Folders below which projects may lie (JSON list); none means that there are no projects.",
    )
    max_projects: int = Field(50, ge=1, le=1000, description="Projects that one user may register.")
    agent_account: str = Field(
        "", description="Account of this machine that coding agents run as; the server has to be root. Empty: none."
    )
    agents_unconfined: bool = Field(
        False, description="Let coding agents run with the server's own rights where AGENT_ACCOUNT names no account."
    )
    agent_step_seconds: float = Field(
        3600.0, gt=0, le=86_400, description="Longest step of a coding agent (one role, one round), in seconds."
    )
    agent_silence_seconds: float = Field(
        300.0, gt=0, le=86_400, description="How long a coding agent may do nothing before somebody looks, in seconds."
    )
    check_seconds: float = Field(900.0, gt=0, le=86_400, description="Longest check of a project, in seconds.")
    project_seconds: float = Field(
        14_400.0,
        gt=0,
        le=86_400,
        description="Most time that a run on a project works, waiting for people not counted.",
    )
    project_rounds: int = Field(
        3, ge=1, le=20, description="How often one phase of a run on a project is built at most."
    )
    project_dollars: float = Field(
        0.0, ge=0, description="Dollars of coding agents, as far as they tell, that end a run on a project; 0 for any."
    )

    project_phase_dollars: float = Field(
        0.0, ge=0, description="The same for one phase of such a run, all its rounds together; 0 for any."
    )

    # Where Summit keeps things
    data_dir: Path = Field(
        default_factory=lambda: user_data_path("summit"), description="Folder of the embedded database and the clips."
    )
    min_free_bytes: int = Field(
        100 * MEBIBYTE, ge=0, description="Free space in DATA_DIR, in bytes, below which /readyz says no."
    )
    master_key_file: Path | None = Field(
        None, description="File of the keys that seal secrets; unset means master.key in DATA_DIR, made on first use."
    )
    database_url: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("DATABASE_URL", "SUMMIT_DATABASE_URL", "database_url"),
        description="A PostgreSQL >= 15 with pgvector; unset means the embedded server in DATA_DIR.",
    )
    pool_size: int = Field(
        10, ge=2, le=200, description="Connections that one process may open for requests and turns."
    )
    transaction_seconds: float = Field(
        30.0,
        ge=1,
        le=3600,
        description="Longest transaction; one that a frozen server left open is then undone, and its locks with it.",
    )

    # Turns
    turn_wait_seconds: float = Field(
        30.0, gt=0, le=600, description="Longest wait of POST /v1/turns before it answers 202."
    )
    turn_lease_seconds: float = Field(
        10.0, ge=1, le=600, description="How long a silent server keeps a turn before another may take it."
    )
    turn_attempts: int = Field(5, ge=1, le=100, description="Times a turn is tried before it ends as failed.")
    agent_timeout_seconds: float = Field(20.0, gt=0, le=600, description="Longest run of one agent within a turn.")
    sweep_seconds: float = Field(2.0, gt=0, le=600, description="Pause between two looks for turns whose server died.")
    max_text_chars: int = Field(20_000, ge=1, description="Longest text of one message, in characters.")
    max_preview_chars: int = Field(
        2000, ge=1, description="Longest text that POST /v1/understand reads, in characters."
    )
    quick_text_chars: int = Field(
        300, ge=0, description="Characters up to which a message is read by the server itself; else by a child process."
    )
    read_seconds: float = Field(
        1.0, gt=0, le=60, description="Processor time for reading one message in the child process."
    )
    max_read_chars: int = Field(
        20_000,
        ge=100,
        description="Characters of a message that are read without a language model; the rest is named as unread.",
    )
    max_body_bytes: int = Field(2 * MEBIBYTE, ge=1024, description="Largest request body other than audio, in bytes.")
    max_import_bytes: int = Field(
        10_000 * MEBIBYTE, ge=1024, description="Largest archive that PUT /v1/import takes, in bytes."
    )
    max_import_files: int = Field(
        100_000, ge=1, description="Most files in an archive that PUT /v1/import takes, tables and recordings counted."
    )
    max_import_row_bytes: int = Field(
        32 * MEBIBYTE, ge=1024, description="Longest row in such an archive, as JSON, in bytes."
    )
    import_seconds: int = Field(
        3600, ge=1, le=86_400, description="Processor time for reading such an archive, in seconds."
    )
    confirmation_seconds: float = Field(
        86_400.0, gt=0, le=31_536_000, description="How long a change that needs a yes waits for it."
    )
    header_seconds: float = Field(20.0, gt=0, description="Longest that a request's headers may take to arrive.")
    max_header_bytes: int = Field(65_536, ge=1024, description="Largest head of a request, in bytes; more is refused.")
    max_headers: int = Field(128, ge=16, description="Most headers of a request; more are refused.")
    body_seconds: float = Field(
        25.0, gt=0, description="Longest that a request's body may take to arrive, however small it is."
    )
    body_bytes_per_second: int = Field(
        16_384, ge=1, description="Slowest rate at which what arrived of a large body buys it more time."
    )
    requests_per_minute_per_user: int = Field(
        20_000, ge=1, description="Requests, and frames of websockets, that one user may send a minute to one server."
    )
    requests_per_minute_per_key: int = Field(
        10_000, ge=1, description="The same for one key; what comes faster is answered 429, frames are read slower."
    )
    wrong_key_seconds: float = Field(
        0.5,
        ge=0,
        le=10,
        description="Pause before a wrong key is answered; it doubles with each further one of an address, up to 10 s.",
    )
    max_waiting_wrong_keys: int = Field(
        8, ge=1, description="Wrong keys of one address that may wait for their answer at once; more get 429."
    )
    max_queued_turns: int = Field(100, ge=1, description="Turns that may wait in one thread before 429 is answered.")
    max_queued_turns_per_user: int = Field(
        500, ge=1, description="Turns of one user that may wait in all threads together before 429 is answered."
    )
    turns_at_once_per_user: int = Field(
        4, ge=1, le=1000, description="Turns of one user, each of another thread, that one server works on at once."
    )

    # Limits of what is stored
    max_event_days: int = Field(366, ge=1, le=3660, description="Longest event, in days.")
    max_list_items: int = Field(2000, ge=1, le=10_000, description="Lines that one list may hold.")
    max_recurrence_count: int = Field(
        10_000, ge=1, description="Largest COUNT of a recurrence rule; one without an end needs none."
    )
    max_look_back: int = Field(
        20_000, ge=1, description="How many of the latest changes are searched for what words want undone."
    )

    # Streams of events
    event_log_size: int = Field(10_000, ge=1, description="Events kept for each user, for streams that resume.")
    event_log_days: int = Field(90, ge=1, description="Days for which events are kept, if there are not too many.")
    max_streams_per_user: int = Field(
        50, ge=1, description="Websockets and whole streams that one user may hold open at one server."
    )
    max_frame_bytes: int = Field(2 * MEBIBYTE, ge=1024, description="Largest message over a websocket, in bytes.")
    heartbeat_seconds: float = Field(
        5.0, gt=0, description="Quiet seconds after which a stream sends a heartbeat and looks its key up again."
    )
    replay_wait_seconds: float = Field(
        5.0, gt=0, description="Longest that a repeated POST waits for the first one's answer, in seconds; then 409."
    )
    websocket_ping_seconds: float = Field(
        20.0, gt=0, description="Pause between pings over a websocket; one unanswered for as long closes it."
    )
    websocket_stall_seconds: float = Field(
        10.0, gt=0, description="Longest that a websocket's reader may take in nothing before it is disconnected."
    )

    # Voice
    transcriber: Literal["auto", "faster-whisper", "whisper", "remote", "none"] = Field(
        "auto", description="Speech engine: auto picks the best that can run here."
    )
    speech_model: str = Field(
        "auto",
        description="Model of faster-whisper: a name, the path of a folder, or auto for what was set up last.",
    )
    speech_threads: int = Field(
        0, ge=0, le=256, description="Most threads that recognition may use; 0 means all cores but one."
    )
    speech_device: str = Field(
        "cpu",
        description="Where models of speech compute: cpu, cuda (needs the libraries of CUDA 12 and cuDNN 9), or for "
        "whisper any device as torch names it.",
    )
    speech_hints: bool = Field(
        True,
        description="Tell the speech engine the names of the user's own items and lists, so that it mishears less.",
    )
    weights_dir: Path = Field(
        default_factory=lambda: user_cache_path("summit") / "speech",
        description="Folder of the small speech model that `make setup` fetches.",
    )
    whisper_model: str = Field("base", description="openai-whisper model: a name, or the path of a checkpoint file.")
    whisper_download: bool = Field(False, description="Allow whisper to download its weights (never done silently).")
    language: str = Field("en", description="Language that people speak, as a code; auto lets the engine guess.")
    transcription_base_url: str | None = Field(
        None, description="Base URL of an OpenAI-compatible /audio/transcriptions."
    )
    transcription_model: str = Field("whisper-1", description="Model name sent to the remote transcriber.")
    transcription_api_key: SecretStr | None = Field(None, description="Key for the remote transcriber.")
    transcription_timeout_seconds: float = Field(
        300.0,
        gt=0,
        description="Longest wait for the words of 30 s of speech, or of a whole clip from a server, in seconds.",
    )
    voice: str = Field(
        "auto",
        description="Who speaks replies: auto (a server chosen with PUT /v1/models/{capability}, else piper where the "
        "extra `piper` is installed), none, or the path of a voice of piper.",
    )
    voice_name: str = Field("alloy", description="Voice that a server of speech uses where a request names none.")
    voice_timeout_seconds: float = Field(
        60.0, gt=0, description="Longest wait for a sentence of a reply to be spoken, or for a server, in seconds."
    )
    max_speech_chars: int = Field(4096, ge=1, le=100_000, description="Longest text that is spoken at once.")
    upload_idle_seconds: float = Field(
        3600.0, gt=0, description="Time after which a recording that nothing more comes for is kept as a memo."
    )
    max_audio_bytes: int = Field(25 * MEBIBYTE, ge=1024, description="Largest clip accepted, in bytes.")
    max_audio_seconds: float = Field(1800.0, gt=0, description="Longest clip decoded, in seconds.")
    max_audio_minutes_a_day: float = Field(
        600.0, gt=0, description="Minutes of recordings that one user may have heard within 24 hours."
    )
    max_waiting_clips: int = Field(
        100, ge=1, description="Recordings of one user that may come in or wait for their words at once."
    )
    audio_keep_days: float | None = Field(
        None,
        ge=1,
        le=36500,
        description="Days after which a recording whose words are known is removed, and only its words stay; unset "
        "keeps it until its user deletes it.",
    )
    word_times: bool = Field(
        True, description="Whether the time of each word is kept, so that a quote begins at its own second."
    )
    min_confidence: float = Field(
        0.6, ge=0, le=1, description="Transcripts less certain than this ask before they act."
    )

    # Memory
    memory_weights: Path | None = Field(
        None, description="File of the model that memory searches by meaning with; unset means the installed one."
    )
    memory_embed_seconds: float = Field(
        60.0,
        gt=0,
        le=600,
        description="Longest that a model of memory may take for one batch of sentences, in seconds.",
    )
    memory_query_seconds: float = Field(
        10.0,
        gt=0,
        le=600,
        description="Longest that it may take for a question, in seconds; then memory is searched by words alone.",
    )
    memory_fresh_seconds: float = Field(
        1.0,
        gt=0,
        le=60,
        description="Longest that a search of memory waits for what was said just before it to be indexed, in seconds.",
    )
    memory_keep_days: float = Field(
        30.0, ge=0, le=3650, description="Days for which what was deleted stays hidden in memory before it is removed."
    )
    memory_answer_chance: float = Field(
        0.56, gt=0, lt=1, description="Probability from which on a sentence is told as the answer to a question."
    )
    memory_closest_chance: float = Field(
        0.22, gt=0, lt=1, description="Probability from which on it is told as the closest there is; else nothing is."
    )
    memory_change_chance: float = Field(
        0.15,
        gt=0,
        lt=1,
        description="Probability from which on a later sentence is told before the one that it changes.",
    )
    memory_statement_chance: float = Field(
        0.6,
        gt=0,
        le=1,
        description="Probability from which on a sentence of a message is taken to ask or answer, and is no memory.",
    )
    memory_names: int = Field(
        3, ge=0, le=20, description="How often a question is asked again by other names for somebody, at most."
    )
    memory_quotes: int = Field(3, ge=1, le=50, description="Most quotes of an answer to one question.")
    memory_further_share: float = Field(
        0.5,
        gt=0,
        le=1,
        description="Share of the best quote's probability that the further quotes of an answer have, at least.",
    )
    memory_stretch_documents: int = Field(
        500, ge=1, le=10_000, description="Most memos, notes and messages of a stretch of time that are looked at."
    )
    memory_stretch_quotes: int = Field(
        12, ge=1, le=100, description="Most quotes that are told of a stretch of time, such as last week."
    )
    memory_source_tokens: int = Field(
        1000, ge=100, le=100_000, description="Most tokens of quotes that a language model is shown for an answer."
    )
    memory_sources: int = Field(24, ge=1, le=1000, description="Most quotes that it is shown.")
    memory_answer_characters: int = Field(
        1000, ge=100, le=20_000, description="Longest answer of a language model from memory that is told."
    )
    memory_topic_minutes: float = Field(
        15.0, ge=0, description="Shortest time after which a user's topics are made again, in minutes."
    )
    memory_topic_units: int = Field(
        2000, ge=10, le=10_000, description="Sentences of a user, the latest, that topics and insights are made of."
    )

    # Calendars of other programs
    feed_refresh_minutes: int = Field(
        15, ge=1, le=1440, description="How often calendar programs are asked to look at the feed again."
    )
    feed_past_days: int = Field(90, ge=0, description="How long a past event stays in the feed, in days.")
    max_calendars: int = Field(20, ge=0, description="Calendars that one user may import or subscribe to.")
    max_calendar_bytes: int = Field(10 * MEBIBYTE, ge=1024, description="Largest calendar file, in bytes.")
    max_calendar_events: int = Field(20_000, ge=1, description="Most events in one calendar file.")
    max_calendar_occurrences: int = Field(
        50_000,
        ge=1,
        description="Most times at which one calendar's events take place, as far as is looked ahead.",
    )
    calendar_seconds: int = Field(20, ge=1, le=300, description="Processor time for reading one calendar, in seconds.")
    calendar_refresh_minutes: int = Field(
        60, ge=1, description="Pause between two looks at a subscribed calendar that does not state one."
    )
    calendar_refresh_min_minutes: int = Field(15, ge=1, description="Shortest such pause, whatever a calendar states.")
    calendar_refresh_max_minutes: int = Field(
        1440, ge=1, description="Longest such pause, also while a calendar cannot be read."
    )
    max_calendar_accounts: int = Field(
        10, ge=0, description="Accounts with calendars of elsewhere that a user may keep."
    )
    max_synced_events: int = Field(
        5_000, ge=1, description="Most events in a calendar of elsewhere that is kept in step."
    )
    calendar_sync_seconds: float = Field(
        300.0, ge=1, description="Pause between two looks at such a calendar; what changes here is sent within seconds."
    )
    google_client_id: str = Field(
        "", description="Client id of your project with Google, for Google Calendar; empty for none."
    )
    google_client_secret: SecretStr | None = Field(None, description="The secret of that client.")
    google_redirect_url: str = Field(
        "",
        description="Where Google sends the browser back to; empty for /back-from-google under the name by which this "
        "server is called.",
    )
    google_authorize_url: str = Field(
        "https://accounts.google.com/o/oauth2/v2/auth", description="Where Google asks whether Summit may."
    )
    google_token_url: str = Field("https://oauth2.googleapis.com/token", description="Where Google gives tokens.")
    google_revoke_url: str = Field("https://oauth2.googleapis.com/revoke", description="Where tokens are given back.")
    google_calendar_url: str = Field(
        "https://www.googleapis.com/calendar/v3", description="Base URL of the API of Google Calendar."
    )
    google_tasks_url: str = Field(
        "https://tasks.googleapis.com/tasks/v1", description="Base URL of the API of Google Tasks."
    )
    max_mail_accounts: int = Field(10, ge=0, description="Mail accounts that a user may keep for workflows.")
    max_waiting_mail: int = Field(100, ge=0, description="Mails of workflows that may wait for a user's yes at once.")
    mail_seconds: float = Field(
        30.0, gt=0, le=300, description="Longest conversation with a mail server of a user, in seconds."
    )
    mail_ca_file: Path | None = Field(
        None, description="File (PEM) with further authorities that certificates of users' mail servers may come from."
    )
    feed_max_items: int = Field(5_000, ge=1, description="Most events, and most tasks, in the feed.")

    # The language model, and what it costs
    llm_base_url: str = Field("https://api.openai.com/v1", description="Base URL of an OpenAI-compatible chat model.")
    llm_model: str = Field(
        "", description="Name of the chat model; empty means none: the built-in understanding alone."
    )
    llm_reason_model: str = Field(
        "", description="Model for runs and for answers from memory, if messages are read by another one."
    )
    llm_api_key: SecretStr | None = Field(
        None,
        validate_default=True,
        validation_alias=AliasChoices("SUMMIT_LLM_API_KEY", "OPENAI_API_KEY", "llm_api_key"),
        description="Key for the chat model; OPENAI_API_KEY is read too.",
    )
    llm_idle_seconds: float = Field(
        20.0, gt=0, le=600, description="Longest that a turn waits for the next words of a model's answer."
    )
    llm_budget_seconds: float = Field(
        60.0, gt=0, le=600, description="Longest that a turn waits for models before it is answered without them."
    )
    llm_retries: int = Field(2, ge=0, le=10, description="Times a failed question to a model is asked again.")
    llm_backoff_seconds: float = Field(1.2, ge=0, le=60, description="Pause before a retry; it grows with each one.")
    llm_failures: int = Field(
        3, ge=1, description="Failed questions in a row after which a server of models is left alone for a while."
    )
    llm_cooling_seconds: float = Field(
        30.0, gt=0, le=3600, description="How long it is left alone, until one question tries it again."
    )
    llm_refused_seconds: float = Field(
        600.0,
        gt=0,
        description="How long a model is left alone that refuses the key; a stated Retry-After counts up to that.",
    )
    llm_test_seconds: float = Field(
        20.0, gt=0, le=600, description="Longest that the test of a model waits for each of its answers."
    )
    llm_test_tokens: int = Field(512, ge=16, description="Longest answer of a model to its test, in tokens.")
    llm_local_servers: list[str] = Field(
        [
            "http://127.0.0.1:11434/v1",
            "http://127.0.0.1:8080/v1",
            "http://127.0.0.1:1234/v1",
            "http://127.0.0.1:8000/v1",
        ],
        description="Addresses of this machine where models are looked for (JSON list): those that Ollama, llama.cpp, "
        "LM Studio and vLLM have by themselves. Summit is not taken for one.",
    )
    llm_measure_seconds: float = Field(
        20.0, gt=0, le=600, description="Longest that the measurement of one model on this machine lasts."
    )
    llm_context_tokens: int = Field(6000, ge=200, description="Stored data that a model is shown, in tokens.")
    llm_answer_tokens: int = Field(2000, ge=50, description="Longest answer of a model, in tokens.")
    llm_temperature: float | None = Field(
        None,
        ge=0,
        le=2,
        description="Temperature of a model's answers; unset means not sent, as some models refuse it.",
    )
    llm_reasoning_effort: Literal["minimal", "low", "medium", "high"] | None = Field(
        None, description="How much a model thinks before it answers; unset means not sent."
    )
    llm_answer_bytes: int = Field(4_194_304, ge=10_000, description="Longest answer of a model's server, in bytes.")
    llm_max_changes: int = Field(
        30, ge=1, le=500, description="Calls that one answer of a model may hold; more are taken for a fault."
    )
    llm_prices: dict[str, tuple[float, float]] = Field(
        default_factory=dict,
        description="US dollars per million tokens in and out, by model (JSON); others cost LLM_PRICE.",
    )
    llm_price: tuple[float, float] = Field(
        (1.0, 5.0), description="The usual price, in and out; a model on this machine is free unless it has its own."
    )
    credits: bool = Field(True, description="Whether models are paid for in credits of 0.001 US dollars.")
    credits_starter: int = Field(1000, ge=0, description="Credits that each user begins with.")
    credits_minimum: int = Field(1, ge=0, description="Credits that a call to a model costs at least, unless free.")
    credits_empty: Literal["fallback", "refuse"] = Field(
        "fallback",
        description="Messages of who is out of credits: understood without a model (fallback), or refused (402).",
    )

    # Recurring events
    occurrence_days_ahead: int = Field(
        400, ge=31, le=3660, description="Days ahead for which the times of recurring events are worked out in advance."
    )
    occurrence_days_back: int = Field(
        100, ge=1, le=3660, description="Days back for which the times of recurring events are kept."
    )
    occurrences_per_series: int = Field(
        5000, ge=1, le=100_000, description="Most times of one recurring event that are worked out in advance."
    )
    freebusy_days: int = Field(
        366, ge=1, le=3660, description="Longest time for which busy and free time are told at once, in days."
    )

    # Running
    timezone: str = Field("", description="IANA zone of users who have not set one; empty means this machine's zone.")
    workers_in_process: bool = Field(True, description="Run background jobs inside `summit serve`.")
    job_concurrency: int = Field(4, ge=1, le=64, description="Background jobs run at once by one process.")
    speech_concurrency: int = Field(
        2, ge=1, le=64, description="Clips that one process works on at once, beside its other jobs."
    )
    run_concurrency: int = Field(4, ge=1, le=64, description="Runs that one process works on at once.")
    workflow_concurrency: int = Field(4, ge=1, le=64, description="Workflows that one process works on at once.")
    max_workflows: int = Field(100, ge=0, description="Most workflows that a user may keep.")
    run_steps: int = Field(30, ge=1, le=500, description="Most steps of a run.")
    run_seconds: float = Field(
        600.0, gt=0, le=86_400, description="Most time that a run works, in seconds; waiting for people is not counted."
    )
    run_credits: int = Field(500, ge=0, description="Most credits of a run; 0 for no limit beyond the account.")
    run_tokens: int = Field(500_000, ge=1, description="Most tokens of a run.")
    run_output_chars: int = Field(500_000, ge=1, description="Most characters that tools tell a run.")
    approval_hours: float = Field(72.0, gt=0, le=2400, description="How long a run waits for an answer, in hours.")
    run_lessons: int = Field(500, ge=0, description="Most lessons of runs that a user keeps; 0 for none.")
    program_seconds: float = Field(
        60.0, gt=0, le=3600, description="Longest that a program of a run may take, in seconds."
    )
    program_memory_bytes: int = Field(
        1024 * MEBIBYTE, ge=64 * MEBIBYTE, description="Most memory of one process of such a program, in bytes."
    )
    page_hosts: list[str] = Field(
        default_factory=list,
        description="Hosts whose pages runs may read, and those below them (JSON list); empty for all public ones.",
    )
    browser: Path | None = Field(
        None,
        description="A Chromium in which runs read pages that need JavaScript (extra `browser`); empty for none.",
    )
    browser_seconds: float = Field(40.0, gt=0, le=300, description="Longest that it takes for a page, in seconds.")
    search_url: str = Field(
        "", description="A SearXNG-compatible service that runs search the web with; empty for none."
    )
    shutdown_seconds: float = Field(3.0, gt=0, le=60, description="Time that running turns get when the server stops.")
    metrics_cache_seconds: float = Field(
        5.0, ge=0, description="How long the numbers that /metrics reads from the database are told again."
    )
    otlp_endpoint: str = Field(
        "",
        description="A collector of OpenTelemetry (OTLP over HTTP, such as http://localhost:4318) that gets spans of "
        "requests, turns, clips and runs (extra `otel`); empty for none.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least severe log line shown.")

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if value:
            try:
                ZoneInfo(value)
            except (ZoneInfoNotFoundError, ValueError, OSError) as error:
                raise ValueError("must be an IANA time zone such as Europe/Lisbon") from error
        return value

    @field_validator("admin_key")
    @classmethod
    def _not_to_be_guessed(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value()) < SHORTEST_ADMIN_KEY:
            raise ValueError(
                f"must have at least {SHORTEST_ADMIN_KEY} characters; `openssl rand -hex 32` makes a good one"
            )
        return value

    @field_validator("public_url")
    @classmethod
    def _an_origin(cls, value: str) -> str:
        origin = value.rstrip("/").lower()
        parts = urlsplit(origin)
        whole = parts.scheme in ("http", "https") and parts.hostname and origin == f"{parts.scheme}://{parts.netloc}"
        if value and not (whole and "@" not in origin):
            raise ValueError("must be a scheme and a name without a path, such as https://summit.example.org")
        return origin

    @field_validator("otlp_endpoint")
    @classmethod
    def _an_address(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("must be an address such as http://localhost:4318")
        return value

    @field_validator("llm_local_servers")
    @classmethod
    def _on_this_machine(cls, value: list[str]) -> list[str]:
        for address in value:
            if not address.startswith(("http://", "https://")) or any(sign in address for sign in "?#@\\ "):
                raise ValueError(f"{address} is no address such as http://127.0.0.1:11434/v1")
            if not is_local(address):
                raise ValueError(f"{address} is not on this machine")
        return [address.rstrip("/") for address in value]

    @field_validator("llm_api_key")
    @classmethod
    def _for_models_elsewhere(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        address = info.data.get("llm_base_url", "")
        keyed = value is not None and value.get_secret_value()
        if info.data.get("llm_model") and not keyed and not is_local(address):
            raise ValueError(
                f"{address} is asked nothing without a key. Set one; a server of your own that asks for none takes any "
                "word as one. Or unset SUMMIT_LLM_MODEL."
            )
        return value

    @model_validator(mode="after")
    def _whole_issuer(self) -> Self:
        if self.oidc_issuer and not (self.oidc_issuer.startswith("https://") or is_local(self.oidc_issuer)):
            raise ValueError("OIDC_ISSUER must be an https address, or one of this machine")
        if bool(self.oidc_issuer) != bool(self.oidc_audience):
            raise ValueError("OIDC_ISSUER and OIDC_AUDIENCE are set together")
        return self

    @property
    def only_here(self) -> bool:
        """Whether nobody but this machine can reach the server, as far as the settings tell."""
        return is_loopback(self.host) and (not self.public_url or is_local(self.public_url))

    @property
    def master_key_path(self) -> Path:
        """The file of the keys that seal secrets, made on first use."""
        return self.master_key_file or self.data_dir / "master.key"

    @property
    def clips_dir(self) -> Path:
        """Folder of the audio clips, private to this account."""
        return self.data_dir / "clips"

    @property
    def spoken_language(self) -> str:
        """The code of the language that people speak; empty lets the engine guess."""
        return "" if self.language == "auto" else self.language

    @property
    def default_timezone(self) -> str:
        """The zone of users who have not set one."""
        return self.timezone or machine_zone()


@lru_cache
def load_settings() -> Settings:
    """The settings of this process, read once."""
    return Settings()


def machine_zone() -> str:
    """This machine's IANA zone; UTC when it does not say."""
    stated = os.environ.get("TZ", "").removeprefix(":") or str(LOCALTIME.resolve()).partition("/zoneinfo/")[2]
    try:
        return ZoneInfo(stated).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"
