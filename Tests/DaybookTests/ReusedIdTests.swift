/// Goal: an id that was deleted and given again belongs to what has it now.
/// Method: an account is deleted with its rows and opened again under its id, in one process and in two;
/// the figures of the new one are those of its own rows, before and after a rebuild.
import Daybook
import Foundation
import Testing

@Suite struct ReusedIdTests {
  static let reused = AccountID(EntityID(high: 7, low: 77))

  static func open(_ name: String) -> Command {
    .openAccount(NewAccount(id: reused, name: name, kind: .asset, currency: kzt))
  }

  static func spend(_ units: String) -> Command {
    .record(.expense(money(units), from: reused, on: today))
  }

  @Test func anAccountUnderAReusedIdHasItsOwnRows() async throws {
    let house = try await House()
    try await house.append(Self.open("first"))
    try await house.append(Self.spend("5"))
    try await house.append(.deleteAccount(Self.reused, .withRows))
    try await house.append(Self.open("second"))
    try await house.append(Self.spend("7"))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: Self.reused, on: today) == total("-7"))
      #expect(try snapshot.count(TransactionFilter(account: Self.reused)) == 1)
    }
  }

  @Test func anotherProcessMayHaveReusedIt() async throws {
    let house = try await House()
    try await house.append(Self.open("first"))
    try await house.append(Self.spend("5"))
    await #expect(processExitsWith: .exitCode(0)) { [path = house.path as String] in
      let other = try await Ledger.open(at: path, options: House.options())
      try await other.append(.deleteAccount(ReusedIdTests.reused, .withRows))
      try await other.append(ReusedIdTests.open("second"))
      try await other.close()
    }
    try await house.append(Self.spend("7"))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: Self.reused, on: today) == total("-7"))
      #expect(try snapshot.count(TransactionFilter(account: Self.reused)) == 1)
    }
  }
}
