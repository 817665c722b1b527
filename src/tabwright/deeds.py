"""Results that many actions share."""

from pydantic import Field

from tabwright.action import Result


class Done(Result):
    """What was done to what."""

    deed: str = Field(description="What was done.")
    target: str = Field(description="Role and name of the element, or what else it was done to.")

    def __str__(self) -> str:
        return f"{self.deed} {self.target}."
