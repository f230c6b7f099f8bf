import ArgumentParser
import Daybook

/// `daybook completions`: prints a completion script for a shell.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract:
      "Print a shell completion script for commands, flags and the ledger's names.",
    discussion: """
      `make install` installs the scripts. To install one by hand:

        bash  daybook completions bash > ~/.local/share/bash-completion/completions/daybook
        zsh   daybook completions zsh > ~/.zfunc/_daybook   (a folder of $fpath)
        fish  daybook completions fish > ~/.config/fish/completions/daybook.fish
      """)

  /// The shells with completion scripts.
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
    var script = DaybookCommand.completionScript(for: shell.shell)
    if shell == .bash { script += "\n\n" + Self.colons }
    try Output.write(script)
  }

  /// A wrapper for Bash, which splits words at the colons in category paths.
  ///
  /// It joins the parts before completing, and then removes the part that was already typed from
  /// each completion.
  private static let colons = #"""
    _daybook_with_colons() {
        local -a words=()
        local -i index count=0 current=0
        local word glue=
        for index in "${!COMP_WORDS[@]}"; do
            word=${COMP_WORDS[index]}
            if ((count > 1)) && [[ -n $glue || $word == :* ]]; then
                words[count - 1]+=$word
            else
                words[count]=$word
                count+=1
            fi
            if [[ $word == *: ]]; then glue=1; else glue=; fi
            if ((index == COMP_CWORD)); then current=count-1; fi
        done
        local typed=${words[current]}
        local before=
        if ((current > 0)); then before=${words[current - 1]}; fi
        local -a COMP_WORDS=("${words[@]}")
        local -i COMP_CWORD=current
        _daybook "$1" "$typed" "$before"
        if [[ $typed == *:* ]]; then
            local start=${typed%"${typed##*:}"}
            for index in "${!COMPREPLY[@]}"; do
                COMPREPLY[index]=${COMPREPLY[index]#"$start"}
            done
        fi
    }

    complete -o filenames -F _daybook_with_colons daybook

    """#
}
