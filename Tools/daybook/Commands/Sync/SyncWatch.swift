import ArgumentParser
import Daybook
import DaybookSync
import DaybookTerminal
import Foundation

/// `daybook sync watch`: syncs continuously until it is interrupted.
struct SyncWatch: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Sync continuously until Ctrl-C.",
    discussion: """
      Sends changes recorded on this device by any process immediately, and receives other \
      devices' changes as soon as the relay reports them. Without a network, it waits and \
      reconnects automatically.
      """)

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let isJSON = ledger.json
    let task = Task {
      try await ledger.withLedger { opened in
        let sync = opened.sync
        let telling = Task {
          var before = SyncState()
          for await state in sync.states() where state != before {
            try tell(state, before, json: isJSON)
            before = state
          }
        }
        defer { telling.cancel() }
        try await sync.run()
      }
    }
    let end = FollowingEnd()
    let sources = FollowingEvents.on([SIGINT, SIGTERM]) { number in
      end.reason = number
      task.cancel()
    }
    defer { for source in sources { source.cancel() } }
    do {
      try await task.value
    } catch  where end.reason != nil {
      throw ExitCode(128 + (end.reason ?? 0))
    }
  }

  private func tell(_ state: SyncState, _ before: SyncState, json: Bool) throws {
    if json { return try Output.write(JSONAnswer(state).value().line + "\n") }
    let time = Time.text(Time.now).suffix(8)
    if let problem = state.problem, problem != before.problem {
      return try Output.line("\(time)  \(problem.description.printable)")
    }
    guard state.activity == .listening else { return }
    guard
      before.activity != .listening || state.position != before.position
        || state.pendingCount != before.pendingCount
    else { return }
    let pending =
      state.pendingCount > 0
      ? ", \(Figures.counted(state.pendingCount, "commit")) not sent yet" : ""
    try Output.line("\(time)  entry \(Figures.count(state.position))\(pending)")
  }
}
