/// Goal: steps that take more than one call. Method: see `Player`.
import Daybook
import Foundation

/// Views as they were when the ledger was closed, and what was current then.
struct OldViews {
  var current: Data
  var path: String
}

/// What happens to the views while a ledger is closed.
enum ViewsFate {
  case asTheyAre
  case deleted
  case old
}

extension Player {
  /// Appends several groups at once.
  ///
  /// Those that are accepted say by their tokens in which order they came. A refused one must be
  /// refused by the oracle too, at some moment before, between or after them.
  mutating func appendTogether(_ groups: [[Command]], _ index: Int) async throws {
    struct Answer: Sendable {
      var commands: [Command]
      var result: Result<Receipt, DaybookError>

      var sequence: UInt64? {
        if case .success(let receipt) = result { receipt.token.sequence } else { nil }
      }
    }
    let ledger = self.ledger
    var answers = await withTaskGroup(of: Answer.self) { tasks in
      for commands in groups {
        tasks.addTask {
          do throws(DaybookError) {
            return Answer(
              commands: commands, result: .success(try await ledger.append(commands)))
          } catch { return Answer(commands: commands, result: .failure(error)) }
        }
      }
      return await tasks.reduce(into: []) { $0.append($1) }
    }
    var moments = [oracle]
    answers.sort { $0.sequence ?? .max < $1.sequence ?? .max }
    for answer in answers {
      switch answer.result {
      case .success(let receipt):
        // One that changed nothing says only after which commit it came.
        let made = receipt.outcomes.flatMap { $0.ids }
          .filter { !answer.commands.namedIDs.contains($0) }
        do {
          try oracle.append(answer.commands, given: made)
        } catch {
          throw Difference(
            step: index, lines: ["accepted among several, against the oracle: \(answer.commands)"])
        }
        moments.append(oracle)
      case .failure(let error):
        guard error.refusal != nil else { throw error }
        let isKnown = moments.contains { moment in
          var tried = moment
          do {
            try tried.append(answer.commands)
            return false
          } catch { return true }
        }
        guard isKnown else {
          throw Difference(
            step: index, lines: ["refused among several (\(error)): \(answer.commands)"])
        }
      }
    }
  }

  /// Appends with the token of an older commit: refused, whatever the commands are.
  mutating func appendStale(_ commands: [Command], _ index: Int) async throws {
    let stale = try ledger.token
    let rate = ExchangeRate(
      base: ScriptWriter.currencies[1], quoted: ScriptWriter.currencies[5], day: .min,
      quote: try Quote("\(index + 1)"))
    try await ledger.append(.setRate(rate))
    try oracle.append([.setRate(rate)])
    do {
      let receipt = try await ledger.append(commands, expecting: stale)
      throw Difference(step: index, lines: ["a stale token was taken: \(receipt)"])
    } catch let error as DaybookError {
      guard error.code == .conflict else { throw error }
    }
  }

  /// Closes the ledger and opens it again.
  mutating func reopen(_ fate: ViewsFate) async throws {
    guard let path else { return }
    try await ledger.close()
    let files = FileManager.default
    let views = try files.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("views-") }
    let current = try Data(contentsOf: URL(fileURLWithPath: path + "/CURRENT"))
    switch fate {
    case .asTheyAre:
      guard oldViews == nil, views.count == 1 else { break }
      let kept = path + "-" + views[0]
      try files.copyItem(atPath: path + "/" + views[0], toPath: kept)
      oldViews = OldViews(current: current, path: kept)
    case .deleted:
      for name in views { try files.removeItem(atPath: path + "/" + name) }
      dropOldViews()
    case .old:
      guard let old = oldViews, old.current == current, views.count == 1 else { break }
      try files.removeItem(atPath: path + "/" + views[0])
      try files.moveItem(atPath: old.path, toPath: path + "/" + views[0])
      oldViews = nil
    }
    ledger = try await Ledger.open(at: path, options: options)
  }

  /// Forgets the views that were kept.
  mutating func dropOldViews() {
    if let oldViews { try? FileManager.default.removeItem(atPath: oldViews.path) }
    oldViews = nil
  }
}
