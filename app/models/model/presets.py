"""Providers that are known before an administrator names any; each needs no more than a key."""

from __future__ import annotations

from app.models.model.providers import Capability, Provider

ALL_CAPABILITIES: tuple[Capability, ...] = ("chat", "embeddings", "transcription", "speech")
PRESETS = (
    Provider("openai", "OpenAI", "https://api.openai.com/v1", "direct", ALL_CAPABILITIES),
    Provider("anthropic", "Anthropic", "https://api.anthropic.com/v1", "direct", ("chat",)),
    Provider("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "gateway", ("chat",)),
    Provider("vercel", "Vercel AI Gateway", "https://ai-gateway.vercel.sh/v1", "gateway", ("chat", "embeddings")),
    Provider("voyage", "Voyage AI", "https://api.voyageai.com/v1", "direct", ("embeddings",)),
    Provider("ollama", "Ollama", "http://127.0.0.1:11434/v1", "direct", ("chat", "embeddings")),
)
