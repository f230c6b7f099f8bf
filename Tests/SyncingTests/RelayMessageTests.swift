// Goal: whatever is wrong with a relay's log, the message says it in words, and names the steps to continue.
// Method: every fault that a log can have becomes an error, whose text is compared with the fault's values.

import DaybookSyncWire
import Testing

@testable import DaybookSync

@Suite struct RelayMessageTests {
  private static let faults: [ProofFault] = [
    .gap(expected: 12, found: 14), .timeGoesBack(position: 12),
    .numberGap(position: 12, replica: 3_673_291, expected: 4, found: 5),
    .invalidBase(position: 12, base: 15), .wrongLink(position: 12),
    .rolledBack(seen: 12, head: 7), .withheld(position: 7, head: 12),
    .wrongFloor(expected: 3, found: 12), .forked(position: 12, replica: 3_673_291),
  ]

  @Test(arguments: faults)
  func aFaultIsSaidInWords(_ fault: ProofFault) throws {
    let error = try #require(SyncError.wrapping(fault) as? SyncError)
    #expect(error.code == .tampered || error.code == .rolledBack)
    #expect(error.message.contains("12"))
    for raw in ["(", "3673291", "Gap", "wrong", "replica"] {
      #expect(!error.message.contains(raw), "\(error.message)")
    }
    #expect(error.remedy.contains("Nothing recorded on this device is lost."))
    for step in ["daybook-relay init", "daybook sync leave", "daybook sync start", "join"] {
      #expect(error.remedy.contains(step), "\(error.remedy)")
    }
  }

  @Test func anAlteredEntryIsSaidInWords() throws {
    let fault = WireError(.notAuthentic, "entry 12")
    let error = try #require(SyncError.wrapping(fault) as? SyncError)
    #expect(error.code == .tampered && error.remedy.contains("daybook-relay init"))
  }

  @Test func aRefusedBaseNamesTheSteps() throws {
    let refusal = RelayRefusal(.baseBeyondHead, "the base is 12, the head 7")
    let error = try #require(SyncError.wrapping(refusal) as? SyncError)
    #expect(error.code == .rolledBack && error.remedy.contains("daybook-relay init"))
  }
}
