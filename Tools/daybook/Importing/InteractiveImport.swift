import Daybook
import DaybookInterchange
import DaybookTerminal

/// Runs the review of a file's rows on a terminal.
enum InteractiveImport {
  /// Shows the rows until the user records them or quits.
  ///
  /// - Returns: The plan with the user's choices, or `nil` if the user quit.
  /// - Throws: `CommandFailure` if there is no terminal, or after Ctrl-C.
  static func review(
    _ plan: ImportPlan, title: String, categories: [String], _ interruption: Interruption
  ) throws -> ImportPlan? {
    guard let keyboard = Keyboard() else {
      throw CommandFailure.usage(
        "Couldn't start the review: --interactive requires a terminal for input and output.",
        remedy: "Leave out --interactive, or run it in a terminal.")
    }
    defer {
      keyboard.leave()
      interruption.watchAgain()
    }
    var review = ImportReview(plan, title: title, categories: categories)
    let terminal = Terminal.output
    while true {
      let size = Keyboard.size
      let lines = review.lines(
        rows: size.rows, columns: size.columns, inColour: terminal.inColour)
      keyboard.draw(terminal.isASCII ? lines.map(\.inASCII) : lines)
      switch review.press(keyboard.next()) {
      case .goOn: continue
      case .record: return review.plan
      case .quit: return nil
      case .interrupt: throw interruption.failure()
      }
    }
  }
}
