"""The child that reads mail for one caller, and can do nothing else.

Arguments: seconds of the processor, bytes of memory. A message is {"mails": [base64], "most_chars"}, an answer a list
with what app.work.mail.servers.mail_text.read_mail makes of each.
"""

from __future__ import annotations

import json
import sys
from base64 import b64decode

from app.boundary.confinement import frames, sandbox
from app.work.mail.servers.mail_text import read_mail

# Whatever the library imports late, or looks up, it does with these.
HTML_SAMPLE = b"""From: =?utf-8?q?=C3=84nne?= <a@example.org>
Subject: =?iso-8859-1?b?5Q==?=
Date: Tue, 24 Nov 2026 10:00:00 +0000
Content-Type: multipart/alternative; boundary=x

--x
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>=C3=A4 &amp; b</p>
--x--
"""
TEXT_SAMPLE = b"""From: a@example.org
Content-Type: text/plain; charset=windows-1252
Content-Transfer-Encoding: base64

5A==
"""


def main() -> None:
    """Answer until the other side closes."""
    sandbox.follow_parent()
    requests, replies = frames.take_pipes()
    seconds, memory = sys.argv[1:]
    for sample in (HTML_SAMPLE, TEXT_SAMPLE):
        read_mail(sample, 100)
    sandbox.confine(cpu_seconds=int(seconds), memory_bytes=int(memory))
    while (message := frames.read(requests)) is not None:
        asked = json.loads(message)
        found = [read_mail(b64decode(one), asked["most_chars"]) for one in asked["mails"]]
        frames.write(replies, json.dumps(found).encode())


if __name__ == "__main__":
    main()
