import ArgumentParser
import Daybook

/// `daybook completions`: the script by which a shell completes commands.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract:
      "Print the script by which a shell completes commands, flags and names of the ledger.",
    discussion: """
      `make install` puts them where shells look. By hand:

        bash  daybook completions bash > ~/.local/share/bash-completion/completions/daybook
        zsh   daybook completions zsh > ~/.zfunc/_daybook   (a folder of $fpath)
        fish  daybook completions fish > ~/.config/fish/completions/daybook.fish
      """)

  /// The shells there are scripts for.
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    var shell: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    try Output.write(DaybookCommand.completionScript(for: shell.shell))
  }
}
