import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookFindings
import DaybookLedgerScripts
import DaybookSampleData
import DaybookSync
import DaybookTesting
import Foundation

/// An operation of a person or a program on a ledger.
enum LedgerOperation: CaseIterable {
  /// Commands of every kind (``DaybookLedgerScripts/CommandKind``).
  case append
  /// Commands that were recorded before, once more: a file is imported again, due rows are generated again.
  case appendAgain
  case exchange
  case undoNewest
  case redoNewest
  /// Any commit of the history is undone.
  case undo
  /// Something deleted is brought back.
  case restoreEntity
  case erase
  case purge
  case compact
  case rebuild
  case dismissFinding
  case takeHeldChange
  case backup
  /// The device is lost, and goes on as its newest backup.
  case restoreBackup
  /// Time passes: the floor moves, and the relay removes entries.
  case absence

  /// Of a hundred steps so many are of this kind, about.
  private var weight: Int {
    switch self {
    case .append: 34
    case .exchange: 22
    case .appendAgain: 8
    case .undoNewest, .undo: 6
    case .redoNewest, .restoreEntity: 4
    case .dismissFinding, .takeHeldChange, .backup, .restoreBackup, .absence: 2
    case .erase, .purge, .compact, .rebuild: 1
    }
  }

  static func random(_ random: inout SeededGenerator) -> LedgerOperation {
    let all = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    return random.pick(all)
  }
}

/// A device of the simulation: its ledger, and a person who writes commands for it.
struct SimulatedDevice: Sendable {
  private(set) var ledger: Ledger
  let secrets = MemorySecrets()
  let now: @Sendable () -> Int64
  var writer: ScriptWriter
  private let options: Ledger.Options
  private let folder: String
  private var recent: [[Command]] = []
  private var backupCount = 0
  private var restoredCount = 0

  init(_ name: String, _ writer: ScriptWriter, _ clock: SimulatedClock, skew: Int64) async throws {
    self.writer = writer
    let now: @Sendable () -> Int64 = { clock.now + skew * 1_000_000 }
    self.now = now
    var options = Ledger.Options(author: name)
    options.adjustsEngine = { $0.clock = now }
    self.options = options
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("simulated-\(UUID().uuidString)").path
    ledger = try await Ledger.inMemory(options: options)
  }

  func remove() async throws {
    try await ledger.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Does something.
  ///
  /// - Returns: what is wrong; a refusal is not.
  mutating func run(
    _ operation: LedgerOperation, _ random: inout SeededGenerator,
    _ network: Kept<SeededGenerator>, _ simulation: CommandSimulation
  ) async throws -> String? {
    do {
      switch operation {
      case .append:
        writer.oracle = try ledger.read { try Oracle(of: $0) }
        let commands = writer.group()
        writer.past += writer.oracle.transactions.suffix(3)
        try await append(commands)
      case .appendAgain: if let commands = random.some(recent) { try await append(commands) }
      case .exchange: return await simulation.problem(of: self, over: network)
      case .undoNewest: try await ledger.undoNewest()
      case .redoNewest: try await ledger.redoNewest()
      case .undo:
        let newest = Int(try ledger.token.sequence)
        let oldest = random.chance(50) ? max(1, newest - 5) : 1
        if newest > 0 { try await ledger.undo(commit: UInt64(random.number(oldest...newest))) }
      case .restoreEntity:
        if let id = random.some(writer.past.map(\.id.rawValue)) {
          try await ledger.restore(entity: id)
        }
      case .erase: try await erase(&random)
      case .purge:
        var options = PurgeOptions()
        options.policy = .count(random.number(0...3))
        try await ledger.purge(options)
      case .compact: try await ledger.compact()
      case .rebuild: try await ledger.rebuild()
      case .dismissFinding:
        if let finding = random.some(try await ledger.findings() ?? []) {
          try await ledger.dismiss(finding: finding.id)
        }
      case .takeHeldChange:
        let held = try await ledger.findings()?.filter { $0.rule == .held }
        if let finding = random.some(held ?? []) {
          try await ledger.take(finding: finding.id, on: random.chance(50) ? writer.day() : nil)
        }
      case .backup:
        backupCount += 1
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        try await ledger.backup(to: folder + "/backup \(backupCount)")
      case .restoreBackup: try await restoreBackup()
      case .absence:
        simulation.clock.pass(seconds: 100 * 86_400)
        await simulation.trim()
      }
    } catch let error as DaybookError
      where [.refused, .expiredToken, .invalidQuery].contains(error.code)
    {
      return nil
    } catch {
      return "\(error)"
    }
    return nil
  }

  private mutating func append(_ commands: [Command]) async throws {
    try await ledger.append(commands)
    recent = recent.suffix(7) + [commands]
  }

  private func erase(_ random: inout SeededGenerator) async throws {
    let oracle = try ledger.read { try Oracle(of: $0) }
    if random.chance(50), let account = random.some(oracle.accounts) {
      try await ledger.erase(.account, account.id.rawValue)
    } else if let row = random.some(oracle.transactions) {
      try await ledger.erase(.transaction, row.id.rawValue)
    }
  }

  private mutating func restoreBackup() async throws {
    guard backupCount > 0 else { return }
    restoredCount += 1
    let path = folder + "/restored \(restoredCount)"
    try await ledger.close()
    try await Ledger.restore(from: folder + "/backup \(backupCount)", to: path)
    ledger = try await Ledger.open(at: path, options: options)
  }
}
