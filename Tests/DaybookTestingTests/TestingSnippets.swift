/// Goal: the code in the article on testing compiles and does what the article says. Method: the article shows these
/// functions word for word, which ArticleTests checks; here they are run.
import Daybook
import DaybookTesting
import Foundation
import Testing

// snippet: household
func aHousehold(today: Day) async throws -> Ledger {
  // The same seed gives the same rows, with the same ids, on every machine.
  let household = SampleHousehold(seed: 7, transactionCount: 500, years: 2, through: today)
  return try await household.ledger()
}
// end

// snippet: checking
func mistakes(in ledger: Ledger, today: Day) async throws -> [String] {
  try await LedgerChecker(today: today).differences(in: ledger)
}
// end

// snippet: faults
func whatAFullDiskDoes(at path: String, today: Day) async throws -> DaybookError? {
  let disk = LedgerDisk()
  let clock = LedgerClock(at: today)
  var options = Ledger.Options()
  options.use(disk)
  options.use(clock)
  let ledger = try await Ledger.open(at: path, options: options)
  clock.advance(by: .seconds(86_400))
  disk.isFull = true
  var refusal: DaybookError?
  do throws(DaybookError) {
    try await ledger.append(.createCategory(NewCategory(name: "Food", kind: .expense)))
  } catch {
    refusal = error
  }
  disk.isFull = false
  try await ledger.close()
  return refusal
}
// end

@Suite struct TestingSnippets {
  private let today = Day(year: 2026, month: 2, day: 15) ?? .min

  @Test func aHouseholdHasNoMistakes() async throws {
    let ledger = try await aHousehold(today: today)
    #expect(try ledger.read { try $0.count() } == 500)
    let found = try await mistakes(in: ledger, today: today)
    #expect(found == [])
    try await ledger.close()
  }

  @Test func aFullDiskIsTold() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try await whatAFullDiskDoes(at: path, today: today)?.code == .full)
  }
}
