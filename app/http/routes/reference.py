"""/openapi.json, and /docs: the OpenAPI document as a page that needs no network."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, JSONResponse

from app.http.routes.page import FOLDER, HEADERS

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def reference() -> FileResponse:
    """Show the page; it reads /openapi.json."""
    return FileResponse(FOLDER / "reference" / "index.html", headers=HEADERS)


@router.get("/openapi.json")
async def openapi(request: Request) -> JSONResponse:
    """The description of every door; made beside the event loop when it is first asked for."""
    return JSONResponse(await asyncio.to_thread(request.app.openapi))
