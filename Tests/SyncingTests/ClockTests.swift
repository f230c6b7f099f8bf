// Goal: a device whose clock is wrong knows how wrong it is, also before it asks the relay again. Method: devices whose
// clocks the test sets.

import Daybook
import DaybookBookkeeping
import DaybookTesting
import Testing

@testable import DaybookSync

@Suite struct ClockTests {
  private let tenYears: Int64 = 3_653 * 86_400_000_000

  @Test func howFarTheClockIsFromTheRelaysIsRemembered() async throws {
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    try await household.join(try await Ledger.inMemory(), name: "laptop")
    try await household.settle()
    #expect(household.devices.map(\.state.clockOffset) == [0, 0])
    var options = household.devices[1].options
    let (now, years) = (options.now, tenYears)
    options.now = { now() + years }
    let ahead = LedgerSync(household.devices[1].ledger, options: options)
    try await ahead.exchange()
    #expect(ahead.state.clockOffset == -tenYears)
    // As of what was noted: nobody is asked.
    let later = LedgerSync(household.devices[1].ledger, options: options)
    #expect(try await later.refresh().clockOffset == -tenYears)
    await household.devices[1].disconnect()
    #expect(try await household.devices[1].exchange().clockOffset == 0)
    #expect(try await LedgerSync(later.ledger, options: options).refresh().clockOffset == 0)
  }
}
