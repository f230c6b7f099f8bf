/// Goal: the id of something that was deleted stays its own: what another device recorded meanwhile may name it.
/// Method: an account is deleted with its rows, here and by another process, and one is opened under its id.
import Daybook
import Foundation
import Testing

@Suite struct ReusedIdTests {
  static let reused = AccountID(EntityID(high: 7, low: 77))

  static func open(_ name: String) -> Command {
    .openAccount(NewAccount(id: reused, name: name, kind: .asset, currency: kzt))
  }

  @Test func anIDIsNotGivenAgain() async throws {
    let house = try await House()
    try await house.append(Self.open("first"))
    try await house.append(.deleteAccount(Self.reused, .withRows))
    await #expect(throws: DaybookError.self) { try await house.append(Self.open("first")) }
    let error = await #expect(throws: DaybookError.self) {
      try await house.append(Self.open("second"))
    }
    #expect(error?.refusal?.code == .duplicateID)
    // The name is free.
    try await house.append(.openAccount(NewAccount(name: "first", currency: kzt)))
    try await house.ends { snapshot throws in
      #expect(try snapshot.accounts().map(\.name) == ["first"])
      #expect(try snapshot.netWorth(on: today) == [total("0")])
    }
  }

  @Test func anotherProcessMayHaveDeletedIt() async throws {
    let house = try await House()
    try await house.append(Self.open("first"))
    await #expect(processExitsWith: .exitCode(0)) { [path = house.path as String] in
      let other = try await Ledger.open(at: path, options: House.options())
      try await other.append(.deleteAccount(ReusedIdTests.reused, .withRows))
      try await other.close()
    }
    let error = await #expect(throws: DaybookError.self) {
      try await house.append(Self.open("second"))
    }
    #expect(error?.refusal?.code == .duplicateID)
    try await house.ends { snapshot throws in
      #expect(try snapshot.accounts() == [])
      #expect(try snapshot.netWorth(on: today) == [])
    }
  }
}
