/// Goal: steps that take more than one call. Method: see `Player`.
import Daybook
import DaybookLedgerScripts
import Foundation

@testable import DaybookTesting

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

/// What a ledger said to one of several appends.
struct Answer: Sendable {
  var commands: [Command]
  var receipt: Receipt?
  var error: DaybookError?

  /// The ids that the ledger made up.
  var madeIDs: [EntityID] {
    receipt.map(commands.madeIDs) ?? []
  }
}

extension Oracle {
  /// The oracle after what was appended, or `nil` where it refuses, or would make what the engine
  /// did not.
  func after(_ answer: Answer) -> Oracle? {
    var next = self
    do {
      try next.append(answer.commands, given: answer.madeIDs)
      let makesMore = answer.receipt != nil && next.transactions.contains(where: isStandIn)
      return makesMore ? nil : next
    } catch { return nil }
  }

  /// Whether what was appended is accepted and changes nothing.
  func isIdle(_ answer: Answer) -> Bool {
    guard let next = after(answer) else { return false }
    return next.transactions == transactions && next.accounts == accounts
      && next.categories == categories && next.rates == rates && next.settings == settings
      && next.assertions == assertions && next.currencies == currencies && next.series == series
      && next.budgets == budgets && next.rules == rules && next.mappings == mappings
      && next.allocations == allocations && next.terms == terms
  }
}

extension Player {
  /// Appends several groups at once.
  ///
  /// Those that made a commit say by their tokens in which order they came. A refused one must be
  /// refused by the oracle too, at some moment before, between or after them; and one that changed
  /// nothing must have nothing to change at some moment.
  mutating func appendTogether(_ groups: [[Command]], _ index: Int) async throws {
    let before = try ledger.token.sequence
    let answers = await answers(to: groups)
    var moments = [oracle]
    var idle: [Answer] = []
    let accepted = Dictionary(grouping: answers.filter { $0.receipt != nil }) {
      $0.receipt?.token.sequence ?? before
    }
    for (sequence, several) in accepted.sorted(by: { $0.key < $1.key }) {
      if sequence == before {
        idle += several
        continue
      }
      // One of them made the commit; the others found nothing to change and name the same one.
      let maker = several.indices.first { position in
        guard let next = oracle.after(several[position]) else { return false }
        return several.indices.allSatisfy { other in
          other == position || (moments + [next]).contains { $0.isIdle(several[other]) }
        }
      }
      guard let maker, let next = oracle.after(several[maker]) else {
        throw Difference(step: index, lines: ["accepted among several: \(several)"])
      }
      oracle = next
      moments.append(next)
      idle += several.indices.filter { $0 != maker }.map { several[$0] }
    }
    for answer in idle where !moments.contains(where: { $0.isIdle(answer) }) {
      throw Difference(step: index, lines: ["nothing was changed: \(answer.commands)"])
    }
    for answer in answers {
      guard let error = answer.error else { continue }
      guard error.refusal != nil else { throw error }
      guard moments.contains(where: { $0.after(answer) == nil }) else {
        throw Difference(
          step: index, lines: ["refused among several (\(error)): \(answer.commands)"])
      }
    }
  }

  private func answers(to groups: [[Command]]) async -> [Answer] {
    let ledger = self.ledger
    return await withTaskGroup(of: Answer.self) { tasks in
      for commands in groups {
        tasks.addTask {
          do throws(DaybookError) {
            return Answer(commands: commands, receipt: try await ledger.append(commands))
          } catch { return Answer(commands: commands, error: error) }
        }
      }
      return await tasks.reduce(into: []) { $0.append($1) }
    }
  }

  /// Appends with the token of an older commit: refused, whatever the commands are.
  mutating func appendStale(_ commands: [Command], _ index: Int) async throws {
    let stale = try ledger.token
    let rate = ExchangeRate(
      base: ScriptWriter.currencies[1], quoted: ScriptWriter.currencies[5], day: .min,
      quote: try Quote("\(index + 1)"))
    try await ledger.append(.setRate(rate), expecting: stale)
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
