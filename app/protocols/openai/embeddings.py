"""POST /v1/embeddings: texts to vectors, by the local model that memory searches with."""

from __future__ import annotations

import base64
from array import array
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from app.errors import InvalidInput, Unavailable
from app.http.bodies import read_json
from app.http.deps import Tenant
from app.http.problems import invalid
from app.memory.services import ProvidedEmbedder
from app.models.model.embeddings import NoEmbeddings
from app.protocols.openai.shapes import CHARS_PER_TOKEN

router = APIRouter(prefix="/v1", include_in_schema=False)
MOST_TEXTS = 256
LONGEST_TEXT = 20_000
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


def _as_list(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


class EmbeddingRequest(BaseModel):
    """Texts to turn into vectors. `model` is taken; there is one."""

    model_config = ConfigDict(extra="ignore", strict=True)

    input: Annotated[list[Text], Field(min_length=1, max_length=MOST_TEXTS), BeforeValidator(_as_list)]
    model: str = Field("", max_length=200)
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = None


@router.post("/embeddings")
async def embed(request: Request, embedder: ProvidedEmbedder, _user_id: Tenant) -> dict[str, Any]:
    """One vector a text, in their order."""
    asked = _parse_document(await read_json(request))
    texts = asked.input
    try:
        vectors = await embedder.embed(texts)
    except NoEmbeddings as error:
        raise Unavailable(f"No vectors can be made: {error}.") from error
    if asked.dimensions not in (None, len(vectors[0])):
        raise InvalidInput(f"dimensions: these vectors have {len(vectors[0])}.", hint="Leave dimensions out.")
    tokens = -(-sum(map(len, texts)) // CHARS_PER_TOKEN)
    return {
        "object": "list",
        "model": embedder.model,
        "data": [
            {"object": "embedding", "index": number, "embedding": _encode_vector(vector, asked.encoding_format)}
            for number, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _encode_vector(vector: Sequence[float], form: str) -> list[float] | str:
    if form == "float":
        return list(vector)
    return base64.b64encode(array("f", vector).tobytes()).decode()


def _parse_document(document: dict[str, Any]) -> EmbeddingRequest:
    try:
        return EmbeddingRequest.model_validate(document)
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error
