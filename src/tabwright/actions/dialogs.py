"""JavaScript dialogs."""

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.page.dialogs import name_dialog
from tabwright.browser.tab import Tab


class Answered(Result):
    """A dialog that was answered."""

    kind: str = Field(description="alert, confirm, prompt or beforeunload.")
    message: str = Field(description="Its message.")
    accepted: bool = Field(description="Whether OK was pressed.")

    def __str__(self) -> str:
        return f"{'Accepted' if self.accepted else 'Dismissed'} the {name_dialog(self.kind, self.message)}."


class AnswerDialog(Args):
    """Arguments of `answer_dialog`."""

    accept: bool = Field(True, description="Press OK; false presses Cancel.")
    text: str | None = Field(None, max_length=10_000, description="Text for a prompt.")


@action(Effect.ACT, does=("press",), at="dialog", group="Dialogs")
async def answer_dialog(tab: Tab, args: AnswerDialog) -> Answered:
    """Accept or dismiss the open dialog."""
    dialog = await (tab.dialogs.accept(args.text) if args.accept else tab.dialogs.dismiss())
    return Answered(kind=dialog.kind, message=dialog.message, accepted=args.accept)
