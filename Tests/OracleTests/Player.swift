/// Goal: a script played against a ledger and the oracle. Method: after each step both are compared,
/// in part; at the end in full, then again after reopening, without the views, and after a rebuild.
import Daybook
import DaybookEngine
import DaybookLedgerScripts
import Foundation
import Synchronization

@testable import DaybookTesting

/// What went wrong while a script was played.
struct Difference: Error, CustomStringConvertible {
  var step: Int
  var lines: [String]

  var description: String { terse("after step \(step): " + lines.joined(separator: "\n  ")) }
}

/// Plays one script.
struct Player {
  let script: Script
  /// The folder of the ledger, or `nil` for one in memory.
  let path: String?
  let options: Ledger.Options
  var ledger: Ledger
  var oracle = Oracle()
  /// The views as they were at an earlier time, when the ledger was closed.
  var oldViews: OldViews?
  /// What there was after each commit, oldest first, and what the oracle knew then.
  var moments: [(token: Token, oracle: Oracle)] = []
  /// Up to where history was purged.
  var floor: UInt64 = 0
  /// The consumers as they should be, by name.
  var consumers: [String: NaiveConsumer] = [:]

  /// Plays a script in a new ledger.
  ///
  /// - Throws: ``Difference``, or what the ledger throws unexpectedly.
  static func play(
    _ script: Script, onDisk: Bool, builtins: [any Projection.Type]? = nil
  ) async throws {
    var path: String?
    if onDisk {
      path =
        FileManager.default.temporaryDirectory
        .appendingPathComponent("oracle-\(UUID().uuidString)").path
    }
    defer { if let path { try? FileManager.default.removeItem(atPath: path) } }
    var player = try await Player(script, path, builtins)
    do {
      try await player.run()
    } catch {
      try? await player.ledger.close()
      player.dropOldViews()
      throw error
    }
    try await player.ledger.close()
    player.dropOldViews()
  }

  private init(_ script: Script, _ path: String?, _ builtins: [any Projection.Type]?) async throws {
    self.script = script
    self.path = path
    var options = Ledger.Options(author: "oracle")
    options.builtins = builtins
    // A second passes with each look at the clock, so that it is sure what a purge may overtake.
    let ticks = Mutex<Int64>(1_700_000_000_000_000)
    options.adjustsEngine = { engine in
      engine.clock = {
        ticks.withLock {
          $0 += 1_000_000
          return $0
        }
      }
    }
    self.options = options
    ledger =
      if let path {
        try await Ledger.open(at: path, options: options)
      } else {
        try await Ledger.inMemory(options: options)
      }
  }

  private mutating func run() async throws {
    moments.append((try ledger.token, oracle))
    for (index, step) in script.steps.enumerated() {
      try await take(step, index)
      let token = try ledger.token
      if token != moments.last?.token { moments.append((token, oracle)) }
      try compare(index, isFull: index == script.steps.count - 1)
      try compareConsumers(index)
    }
    let end = script.steps.count
    if path != nil {
      try await reopen(.asTheyAre)
      try compare(end, isFull: false)
      try compareConsumers(end)
      try await reopen(.deleted)
      try compare(end + 1, isFull: true)
    } else if script.seed % 4 == 0 {
      try await ledger.rebuild()
      try compare(end + 2, isFull: true)
    }
    // A check of projections that others stand in for would find that they are not the right ones.
    if options.builtins == nil, path != nil || script.seed % 8 == 0 {
      let report = try await ledger.verify()
      if !report.isSound { throw Difference(step: end + 3, lines: report.findings) }
    }
  }

  private mutating func take(_ step: ScriptStep, _ index: Int) async throws {
    switch step {
    case .append(let commands): _ = try await append(commands, key: nil, index)
    case .appendTwice(let commands, let key):
      guard let first = try await append(commands, key: key, index) else { return }
      let second = try await ledger.append(commands, key: key)
      guard second.isRepeat, second.token == first.token else {
        throw Difference(step: index, lines: ["the same key again was no repeat: \(second)"])
      }
      do {
        _ = try await ledger.append(commands + commands, key: key)
        throw Difference(step: index, lines: ["the key was taken for other commands"])
      } catch let error as DaybookError {
        guard error.code == .keyReused else { throw error }
      }
    case .appendTogether(let groups): try await appendTogether(groups, index)
    case .appendStale(let commands): try await appendStale(commands, index)
    case .reopen: try await reopen(.asTheyAre)
    case .reopenWithOldViews: try await reopen(.old)
    case .reopenWithoutViews: try await reopen(.deleted)
    case .rebuild: try await ledger.rebuild()
    case .timeTravel(let which): try travel(which, index)
    case .undoNewest: try await undoNewest(index)
    case .undoTwice(let which): try await undoTwice(which, index)
    case .purge(let count): try await purge(keeping: count, index)
    case .consumer(let step): try await consume(step, index)
    case .compact: try await ledger.compact()
    case .erase(let which): try await erase(which)
    case .deleteAndRestore(let which): try await deleteAndRestore(which)
    }
  }

  /// Appends to both.
  ///
  /// - Returns: the receipt, if both accept, and a commit was made of it.
  private mutating func append(_ commands: [Command], key: String?, _ index: Int) async throws
    -> Receipt?
  {
    let before = try ledger.token
    do {
      let receipt = try await ledger.append(commands, key: key)
      do {
        try oracle.append(commands, given: commands.madeIDs(receipt))
      } catch let refusal as OracleRefusal {
        throw Difference(
          step: index,
          lines: ["the ledger accepts what is refused (\(refusal.told)): \(commands)"])
      }
      return receipt.token == before ? nil : receipt
    } catch let error as DaybookError {
      guard let refusal = error.refusal else { throw error }
      do {
        try oracle.append(commands)
      } catch let known as OracleRefusal {
        guard let code = known.code, code != refusal.code else { return nil }
        throw Difference(
          step: index,
          lines: ["refused for \(refusal.code) (\(refusal)) instead of \(code): \(commands)"])
      }
      throw Difference(step: index, lines: ["the ledger refuses (\(refusal)): \(commands)"])
    }
  }

  private func compare(_ step: Int, isFull: Bool) throws {
    let differences = try ledger.read { snapshot throws in
      var comparison = Comparison(
        oracle, seed: script.seed &* 1_000 &+ UInt64(step), isFull: isFull)
      comparison.run(snapshot)
      return comparison.differences
    }
    if !differences.isEmpty { throw Difference(step: step, lines: differences) }
  }
}

extension OracleRefusal {
  var told: String { code.map { "\($0)" } ?? "for any reason" }
}

extension Outcome {
  /// What it made or changed, of the kinds whose ids a ledger makes up.
  var ids: [EntityID] {
    switch self {
    case .account(let id): [id.rawValue]
    case .category(let id): [id.rawValue]
    case .transaction(let id): [id.rawValue]
    case .imported(let report): report.recorded.map(\.rawValue)
    // The ids of what a series makes follow from it.
    case .generated: []
    default: []
    }
  }
}

extension [Command] {
  /// The ids that the ledger made up for what the commands made.
  func madeIDs(_ receipt: Receipt) -> [EntityID] {
    zip(self, receipt.outcomes).flatMap { command, outcome in
      let named = command.namedIDs
      return outcome.ids.filter { !named.contains($0) }
    }
  }
}

extension Command {
  /// The ids that the command itself names.
  fileprivate var namedIDs: Set<EntityID> {
    var ids: Set<EntityID> = []
    switch self {
    case .openAccount(let new): if let id = new.id { ids.insert(id.rawValue) }
    case .createCategory(let new): if let id = new.id { ids.insert(id.rawValue) }
    case .record(let draft): if let id = draft.id { ids.insert(id.rawValue) }
    case .linkTransfer(let one, let other): ids.formUnion([one.rawValue, other.rawValue])
    case .unlinkTransfer(let id): ids.insert(id.rawValue)
    case .importRows(let rows, _):
      for row in rows { if let id = row.draft.id { ids.insert(id.rawValue) } }
    case .amendAccount(let id, _), .closeAccount(let id), .reopenAccount(let id),
      .setOpening(let id, _, _), .correctBalance(let id, _, _, _):
      ids.insert(id.rawValue)
    case .amendCategory(let id, _): ids.insert(id.rawValue)
    case .amend(let id, _), .delete(let id), .link(let id, _), .unlink(let id):
      ids.insert(id.rawValue)
    default: break
    }
    return ids
  }
}
