"""The commands of ``aoi-sim`` as one app. Heavy imports stay inside the commands."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from aoi_sim.cli.ablate import ablate
from aoi_sim.cli.arena import arena
from aoi_sim.cli.bid import bid
from aoi_sim.cli.errors import BAD_INPUT, OK, complain, refuse_nothing, status_of, writes_to_pipe
from aoi_sim.cli.export import export
from aoi_sim.cli.info import info
from aoi_sim.cli.learn import learn
from aoi_sim.cli.merge import merge
from aoi_sim.cli.plan import plan
from aoi_sim.cli.players import check, explain
from aoi_sim.cli.profile import profile
from aoi_sim.cli.replay import replay
from aoi_sim.cli.report import report
from aoi_sim.cli.rules import rules
from aoi_sim.cli.run import run
from aoi_sim.cli.show import show
from aoi_sim.cli.study import study
from aoi_sim.cli.study_changes import agree, editions, sensitivity, what_if
from aoi_sim.cli.tune import tune
from aoi_sim.cli.verify import verify


@contextmanager
def _interrupts_told() -> Iterator[None]:
    """Ctrl-C within is told before typer makes a status of it without a word."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise typer.Exit(status_of(error)) from error


class OneLineGroup(TyperGroup):
    """A group of commands whose errors, also the usage errors of typer, are one line and a status."""

    def make_context(self, *arguments: Any, **extra: Any) -> Any:
        """Read the words of a command line; Ctrl-C is one line and a status too."""
        with _interrupts_told():
            return super().make_context(*arguments, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; Ctrl-C is one line and a status too."""
        with _interrupts_told():
            return super().invoke(ctx)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit with its status (return it when not standalone)."""
        on_pipe = writes_to_pipe()
        try:
            refuse_nothing(sys.argv[1:] if args is None else args)
            result = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
            status = result if isinstance(result, int) else 0
            print(end="", flush=True)  # does nothing without a standard output
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else BAD_INPUT
            # click and rich turn a broken pipe into this, whichever pipe it was.
            if isinstance(error.__context__, BrokenPipeError):
                # rich has put the null device in the place of a pipe without a reader.
                status = OK if on_pipe and not writes_to_pipe() else status_of(error.__context__)
        except BaseException as error:
            status = status_of(error)
        if standalone_mode:
            sys.exit(status)
        return status


app = typer.Typer(
    name="aoi-sim",
    cls=OneLineGroup,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Simulator of the board game Age of Innovation for balance studies.",
)
app.command()(run)
app.command()(plan)
app.command()(arena)
app.command()(tune)
app.command()(learn)
app.command()(ablate)
app.command()(profile)
app.command()(bid)
app.command()(report)
app.command()(replay)
app.command()(verify)
app.command()(info)
app.command()(export)
app.command()(merge)
app.command()(show)
app.command()(rules)
app.command()(check)
app.command()(explain)
study.command()(editions)
study.command()(what_if)
study.command()(sensitivity)
study.command()(agree)
app.add_typer(study)


def _print_version(asked: bool) -> None:
    if asked:
        import aoi_sim

        typer.echo(f"aoi-sim {aoi_sim.__version__} ({aoi_sim.build_info().kind})")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        complain("no command, aoi-sim, choose one of those that aoi-sim --help lists")
        raise typer.Exit(BAD_INPUT)
