"""Train the encoder: `make train`, or `python -m training.fit EXAMPLES PRETRAINED TOKENIZER OUT`.

Deterministic on one machine and device; progress is a line every hundred steps. The best of nothing is kept: the last
weights are the result, since what is held out must not choose them.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from agents.reading.labels import ACTS, LABEL_GROUPS, TOPICS, TOPICS_OF
from training.batches import NOTHING, POOL, Batch, Drawn, Pieces
from training.examples import Example, read_examples
from training.network import Reader
from training.restore import restored
from training.variation import Variations

WARM_UP = 0.06
"""Share of the steps in which the pace grows."""


def main() -> None:
    """Train, telling how it goes, and write the weights."""
    given = arguments()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    examples = read_examples(given.examples)
    learned = examples if given.all else [example for example in examples if not example.held_out]
    kept = [example for example in examples if example.held_out]
    pieces = Pieces(given.tokenizer)
    reader = Reader()
    reader.load_pretrained(given.pretrained)
    if given.begin_with:
        begun = restored(given.begin_with) if given.begin_with.suffix == ".onnx" else torch.load(given.begin_with)
        reader.load_state_dict(reader.state_dict() | {name: value.float() for name, value in begun.items()})
    reader.to(given.device)
    pools = max(1, round(given.epochs * len(learned) / given.batch / POOL))
    drawn = Drawn(learned, pieces, pools, given.batch, given.seed, given.topics)
    print(f"{len(learned)} examples, {pools * POOL} steps, seed {given.seed}, {given.device}", flush=True)
    given.out.mkdir(parents=True, exist_ok=True)

    def tell() -> str:
        save(reader, given.out / "reader.pt")
        return measured(reader, kept, pieces, given.device)

    fit(reader, DataLoader(drawn, batch_size=None, num_workers=given.workers), pools * POOL, given, tell)


def save(reader: Reader, path: Path) -> None:
    """Write what was learned so far: all but the embeddings, which stay those of the pretrained model."""
    frozen = ("piece.", "place.")
    torch.save(
        {name: value.half().cpu() for name, value in reader.state_dict().items() if not name.startswith(frozen)}, path
    )


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("examples", "pretrained", "tokenizer", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--epochs", type=float, default=12)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--pace", type=float, default=1e-4)
    parser.add_argument("--smooth", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--topics", type=float, default=1.0, help="how often sentences with a topic are drawn")
    parser.add_argument("--all", action="store_true", help="learn from what is held out too")
    parser.add_argument("--measure-every", type=int, default=1000)
    parser.add_argument("--begin-with", type=Path, help="go on from what a training or an export wrote")
    return parser.parse_args()


def fit(
    reader: Reader, pools: DataLoader[list[Batch]], steps: int, given: argparse.Namespace, tell: Callable[[], str]
) -> None:
    """Let the network learn; the embeddings of words stay as they were: words never seen keep their neighbours."""
    for part in (reader.piece, reader.place):
        part.weight.requires_grad = False
    fresh = [
        value
        for name, value in reader.named_parameters()
        if value.requires_grad and name.split(".")[0] in ("head", "context", "flag")
    ]
    old = [
        value
        for name, value in reader.named_parameters()
        if value.requires_grad and name.split(".")[0] not in ("head", "context", "flag")
    ]
    optimizer = torch.optim.AdamW(
        [{"params": old, "lr": given.pace}, {"params": fresh, "lr": 10 * given.pace}], weight_decay=0.01
    )
    pace = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / (WARM_UP * steps)) * max(0.01, 1 - step / steps)
    )
    reader.train()
    begun, total, step = time.monotonic(), 0.0, 0
    halves = given.device != "cpu" or torch.cpu.get_capabilities().get("avx512_bf16", False)  # four times as fast
    for pool in pools:
        for batch in pool:
            with torch.autocast(given.device, dtype=torch.bfloat16, enabled=halves):
                scores = outcome(reader, batch := batch.on(given.device))
            loss = wrongness(scores.float(), batch, given.smooth)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(old + fresh, 1.0)
            optimizer.step()
            pace.step()
            total, step = total + loss.detach(), step + 1
            if step % 100 == 0:
                print(
                    f"step {step} of {steps}, loss {float(total) / 100:.3f}, {time.monotonic() - begun:.0f} s",
                    flush=True,
                )
                total = 0.0
            if step % given.measure_every == 0 or step == steps:
                print(tell(), flush=True)


def outcome(reader: Reader, batch: Batch) -> Tensor:
    """The scores of a batch."""
    return reader(batch.pieces, batch.mask, batch.segments, batch.context, batch.flags)


def parts(scores: Tensor, batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The scores of cuts and slots by piece, and those of acts and topics by clause: the means of its words."""
    cuts, slots, acts, topics = scores.split([len(names) for names in LABEL_GROUPS], dim=-1)
    return cuts, slots, *(batch.clause @ of.reshape(-1, of.shape[-1]) for of in (acts, topics))


def wrongness(scores: Tensor, batch: Batch, smooth: float) -> Tensor:
    """Cross entropy of cuts, slots, acts and topics, each a mean; of topics, among those that the act has."""
    cuts, slots, acts, topics = parts(scores, batch)
    wrong = (
        functional.cross_entropy(cuts.flatten(0, 1), batch.cuts.flatten(), ignore_index=NOTHING, label_smoothing=smooth)
        + functional.cross_entropy(
            slots.flatten(0, 1), batch.slots.flatten(), ignore_index=NOTHING, label_smoothing=smooth
        )
        + functional.cross_entropy(acts, batch.acts, label_smoothing=smooth)
    )
    told = batch.topics != NOTHING
    if told.any():
        wrong = wrong + functional.cross_entropy(among_those_of_its_act(topics, batch)[told], batch.topics[told])
    return wrong


def among_those_of_its_act(topics: Tensor, batch: Batch) -> Tensor:
    """The scores of topics by clause without those that its act does not have."""
    there = torch.tensor([[name in TOPICS_OF.get(act, TOPICS) for name in TOPICS] for act in ACTS])
    return topics.masked_fill(~there.to(topics.device)[batch.acts], -1e4)


@torch.no_grad()
def measured(reader: Reader, kept: Sequence[Example], pieces: Pieces, device: str) -> str:
    """How much of what is held out is right: words' cuts and slots, clauses' acts and topics, whole sentences."""
    reader.eval()
    rng, variations = random.Random(0), Variations(kept)
    units = [variations.imagined(example, rng) for example in kept if example.clauses]
    right = {"cut": [0, 0], "slot": [0, 0], "act": [0, 0], "topic": [0, 0], "whole": [0, 0]}
    for at in range(0, len(units), 64):
        batch = pieces.batch(units[at : at + 64]).on(device)
        cuts, slots, acts, topics = parts(outcome(reader, batch).float(), batch)
        good = {"cut": cuts.argmax(-1) == batch.cuts, "slot": slots.argmax(-1) == batch.slots}
        known = batch.cuts != NOTHING
        whole = torch.ones(len(batch.pieces), dtype=torch.bool, device=device)
        for name, fine in good.items():
            right[name][0] += int((fine & known).sum())
            right[name][1] += int(known.sum())
            whole &= (fine | ~known).all(-1)
        told = batch.topics != NOTHING
        right["topic"][0] += int((among_those_of_its_act(topics, batch).argmax(-1) == batch.topics)[told].sum())
        right["topic"][1] += int(told.sum())
        fine = acts.argmax(-1) == batch.acts
        right["act"][0] += int(fine.sum())
        right["act"][1] += len(fine)
        rows = batch.clause.argmax(-1) // batch.pieces.shape[1]
        whole[rows[~fine]] = False
        right["whole"][0] += int(whole.sum())
        right["whole"][1] += len(whole)
    reader.train()
    return "held out: " + ", ".join(f"{name} {100 * good / of:.1f} %" for name, (good, of) in right.items())


if __name__ == "__main__":
    main()
