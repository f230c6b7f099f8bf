import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

/// Two devices that share a ledger with an account of 100.00 EUR, three categories and whatever a scenario begins with.
struct SharedPair {
  private var household = Household()
  let phone: Ledger
  let laptop: Ledger
  let cash: AccountID
  let bank: AccountID
  let food: CategoryID
  let fun: CategoryID
  let home: CategoryID

  /// - Parameter begin: what is recorded before the second device joins.
  init(_ begin: (SharedPair) throws -> [Command] = { _ in [] }) async throws {
    (phone, laptop) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    let opened = try await phone.append(
      .openAccount(NewAccount(name: "Cash", currency: .eur, opening: Money(10_000, .eur))),
      .openAccount(NewAccount(name: "Bank", currency: .eur)),
      .createCategory(NewCategory(name: "Food", kind: .expense)),
      .createCategory(NewCategory(name: "Fun", kind: .expense)),
      .createCategory(NewCategory(name: "Home", kind: .expense)))
    cash = try #require(opened.outcomes[0].account)
    bank = try #require(opened.outcomes[1].account)
    food = try #require(opened.outcomes[2].category)
    fun = try #require(opened.outcomes[3].category)
    home = try #require(opened.outcomes[4].category)
    let commands = try begin(self)
    if !commands.isEmpty { try await phone.append(commands) }
    try await household.start(phone)
    try await household.join(laptop, name: "laptop")
  }

  /// The phone's sharing, and the laptop's.
  var devices: [LedgerSync] { household.devices }

  /// One more device, which joins what is shared.
  func joining(_ ledger: Ledger, name: String) async throws -> LedgerSync {
    var household = household
    try await household.join(ledger, name: name)
    return household.devices[2]
  }

  /// Records on each device without the other; the laptop's reaches the relay a minute later.
  func record(phone first: [Command], laptop second: [Command]) async throws {
    if !first.isEmpty { try await phone.append(first) }
    if !second.isEmpty { try await laptop.append(second) }
    try await share()
  }

  /// Exchanges until both have everything: the phone first.
  func share() async throws {
    let devices = household.devices
    try await devices[0].exchange()
    household.pass(seconds: 60)
    try await devices[1].exchange()
    try await devices[0].exchange()
    for device in devices {
      #expect(device.state.pendingCount == 0)
      #expect(try await device.ledger.verify().findings == [])
    }
  }

  /// What both devices answer, which has to be the same.
  func both<Answer: Equatable & Sendable>(
    _ question: (borrowing Snapshot) throws -> Answer
  ) throws -> Answer {
    let answers = [
      try phone.read { try question($0) }, try laptop.read { try question($0) },
    ]
    #expect(answers[0] == answers[1])
    return answers[0]
  }

  /// A row on both devices.
  func row(_ id: TransactionID) throws -> Transaction {
    // Recording numbers are each device's own.
    let found = try both { snapshot in
      var row = try snapshot.transaction(id)
      row?.number = 0
      return row
    }
    return try #require(found)
  }

  /// What an account holds on both devices at the end of time, in minor units.
  func balance(_ id: AccountID) throws -> Int128 {
    try both { try $0.balance(of: id, on: .max).units }
  }

  /// The findings, which are the same on both devices, as “rule property”.
  func findings() async throws -> [String] {
    var told: [[String]] = []
    for device in household.devices {
      told.append(
        try await device.findings().flatMap { finding in
          finding.values.map { "\(finding.rule) \($0.property)" }
        }.sorted())
    }
    #expect(told[0] == told[1])
    return told[0]
  }
}

extension SyncFinding {
  /// What every device says of it: without which of them is this one.
  var onAnyDevice: SyncFinding {
    var finding = self
    finding.closer = .unknown
    for index in values.indices {
      finding.values[index].isLostHere = false
      finding.values[index].isHeldHere = false
    }
    return finding
  }
}
