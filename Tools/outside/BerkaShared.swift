import Daybook
import DaybookEntities
import DaybookInterchange
import DaybookSync
import Foundation
import Synchronization

/// Shares the Czech bank's transactions of 1993 between three devices.
///
/// Each device imports one of three overlapping pieces without knowing the others. Then the devices
/// sync through a relay in memory.
struct BerkaShared {
  private let places: Places
  private let chart: Ledger
  private let clock = Clock()
  private let relay: MemoryRelay
  /// The part of the file's days that each device imports.
  private static let pieces = [0.0..<0.6, 0.3..<0.9, 0.5..<1.0]

  /// Sets up the relay.
  ///
  /// - Parameter chart: A ledger with the accounts and categories that the file names.
  init(_ places: Places, like chart: Ledger) {
    self.places = places
    self.chart = chart
    let clock = clock
    relay = MemoryRelay(ledger: EntityID(high: 1993, low: 1)) { clock.now }
  }

  func check() async throws -> String {
    var devices: [LedgerSync] = []
    var ledgers: [Ledger] = []
    for number in Self.pieces.indices {
      let ledger = try await Ledger.open(at: places.scratch + "/berka-\(number).daybook")
      let sync = try sync(ledger, number)
      if let first = devices.first {
        try await sync.join(try await first.invite(), relay: "memory", deviceName: "\(number)")
      } else {
        try await ledger.append(commands())
        try await sync.start(
          relay: "memory", token: await relay.addDevice(named: "0"), deviceName: "0")
      }
      devices.append(sync)
      ledgers.append(ledger)
    }
    let mapping = try places.mapping("berka-1993")
    var imported = 0
    for (ledger, path) in zip(ledgers, try files()) {
      let file = try CSVFile(path: path, encoding: mapping.encoding)
      let summary = try await CSVImporter().run(file, mapping: mapping, into: ledger)
      try expect("duplicates", summary.duplicates, 0)
      try expect("new accounts", summary.createdAccounts.count, 0)
      imported += summary.imported
    }
    for _ in 0..<2 { for device in devices { try await device.exchange() } }
    // Devices report a digest of their state once a day.
    clock.pass(days: 2)
    for _ in 0..<2 { for device in devices { try await device.exchange() } }
    for (device, ledger) in zip(devices, ledgers) {
      let berka = try Berka(places, in: ledger)
      try berka.count()
      _ = try (berka.net(), berka.accounts(), berka.months(), berka.symbols())
      try expect("findings", try await device.findings().count, 0)
      try expect("pending", device.state.pendingCount, 0)
      try expect(
        "equal devices", device.state.devices.filter { $0.proof?.isEqual == true }.count, 3)
      try expect("what verify finds", try await ledger.verify().findings.count, 0)
      try await ledger.close()
    }
    return "\(imported) rows of three pieces are the file, on each device"
  }

  private func sync(_ ledger: Ledger, _ number: Int) throws -> LedgerSync {
    var options = SyncOptions(
      secrets: FileSecrets(path: places.scratch + "/berka-\(number).secrets"))
    let (relay, clock) = (relay, clock)
    options.connect = { _, token in MemoryTransport(relay, token: token) }
    options.now = { clock.now }
    return LedgerSync(ledger, options: options)
  }

  /// The commands that create the accounts and categories of the whole file, with the same ids on
  /// each device.
  private func commands() throws -> [Command] {
    try chart.read { snapshot in
      try snapshot.accounts().map {
        .openAccount(NewAccount(id: $0.id, name: $0.name, currency: $0.currency))
      }
        + snapshot.categories().sorted { $0.parent == nil && $1.parent != nil }.map {
          .createCategory(NewCategory(id: $0.id, name: $0.name, kind: $0.kind, parent: $0.parent))
        }
    }
  }

  /// Writes the pieces, which are cut between days, and returns their paths.
  private func files() throws -> [String] {
    let text = try String(contentsOfFile: places.outside("berka-1993/trans.asc"), encoding: .utf8)
    let lines = text.split(whereSeparator: \.isNewline)
    let rows = lines.dropFirst()
    let days = Set(rows.map(day(of:))).sorted()
    return try Self.pieces.enumerated().map { number, share in
      let first = Int(share.lowerBound * Double(days.count))
      let piece = Set(days[first..<Int(share.upperBound * Double(days.count))])
      let path = places.scratch + "/berka-\(number).csv"
      let kept = lines.prefix(1) + rows.filter { piece.contains(day(of: $0)) }
      try kept.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
  }

  private func day(of line: Substring) -> Substring {
    line.split(separator: ";", omittingEmptySubsequences: false)[2]
  }
}

/// The clock of the devices and the relay, in microseconds since 1970.
private final class Clock: Sendable {
  private let time = Mutex<Int64>(1_700_000_000_000_000)

  var now: Int64 { time.withLock { $0 } }

  func pass(days: Int64) { time.withLock { $0 += days * 86_400_000_000 } }
}
