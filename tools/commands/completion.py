"""`cylindre completion`: what a shell runs so that Tab completes our words."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(
    epilog="""\b
    Examples:
      eval "$(cylindre completion bash)"
      eval "$(cylindre completion zsh)"
      cylindre completion fish | source

    In the file that your shell reads at its start (~/.bashrc, ~/.zshrc, ~/.config/fish/config.fish)
    such a line turns it on for good. The Debian package has turned it on.
    """,
)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script that makes Tab complete in SHELL: commands, options, boards, games."""
    click.echo(script(shell), nl=False)


def script(shell: str) -> str:
    """Returns the script of a shell, as click has it."""
    from tools.commands.group import cylindre

    found = get_completion_class(shell)
    assert found is not None
    # Not bash's own method: it starts a bash to ask how old it is.
    return ShellComplete.source(found(cylindre, {}, "cylindre", "_CYLINDRE_COMPLETE")) + "\n"
