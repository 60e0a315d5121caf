"""One try of a step, and how it fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.work.workflows.definition import AnyStep, Definition
from app.work.workflows.model import WorkflowRun
from app.work.workflows.template import fill


class StepFailed(Exception):  # noqa: N818 - an outcome to deal with, not a fault
    """A step did not do what it should; the message says why. ``again`` when another try may help."""

    def __init__(self, message: str, *, again: bool = True) -> None:
        super().__init__(message)
        self.again = again


@dataclass(frozen=True)
class Try:
    """One try of a step, with the values of the variables that are known by now."""

    run: WorkflowRun
    definition: Definition
    step: AnyStep
    values: Mapping[str, str]
    attempt: int

    def fill_in(self, template: str) -> str:
        """A text of the step with its values."""
        return fill(template, self.values)
