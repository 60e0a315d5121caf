"""The page: files of the package, under a policy that lets it run nothing else and call nobody else."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parents[2] / "web"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
    "Cache-Control": "no-cache",
}
WORKER = {"Service-Worker-Allowed": "/"}

mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")  # some systems' tables say text/plain
mimetypes.add_type("font/woff2", ".woff2")
router = APIRouter(include_in_schema=False)


class PageFiles(StaticFiles):
    """The scripts, styles and pictures of the page; a browser asks each time whether they changed."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """A file, or that the browser has it."""
        answer = super().file_response(*args, **kwargs)
        answer.headers.update(HEADERS)
        if Path(args[0]).name == "worker.js":
            answer.headers.update(WORKER)
        return answer


files = PageFiles(directory=FOLDER)


@router.get("/")
async def front() -> FileResponse:
    """Who opens the server in a browser finds the page."""
    return FileResponse(FOLDER / "index.html", headers=HEADERS)
