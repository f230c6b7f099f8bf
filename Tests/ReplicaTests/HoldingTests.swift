// Goal: what a replica holds back follows from all that is pending, however the log comes in. Method: devices and a relay; the pure
// fold of what the test wrote down says what each has to hold.

import DaybookEngine
import DaybookEntities
import DaybookMerging
import DaybookReplicas
import Testing

@Suite struct HoldingTests {
  private let closing = key(1, books)
  private let row = key(1)

  /// Who closed further than somebody else, without having seen that, and opened it again, may record: in each slice.
  @Test func whatWasClosedAndReopenedHereIsOpen() async throws {
    var relay = Relay()
    let phone = try await Device(from: Folded())
    let laptop = try await Device(from: Folded())
    try await phone.commit([(row, record([1: 1, 2: 3]))], at: 1)
    relay.push(try await phone.pushed())
    for device in [phone, laptop] { try await device.pull(relay.entries(after: 0)) }
    try await phone.commit([(closing, record([1: 9]))], at: 2)
    try await phone.commit([(closing, record([1: 0]))], at: 3)
    try await phone.commit([(row, record([1: 2, 2: 3]))], at: 4)
    try await laptop.commit([(closing, record([1: 5]))], at: 5)
    try await laptop.commit([(row, record([1: 1, 2: 3, 3: 7]))], at: 6)
    for commit in try await laptop.pushed() {
      relay.push([commit])
      try await phone.pull(relay.entries(after: phone.position))
      #expect(try await phone.record(of: row)?[1] == [2], "at \(phone.position)")
    }
    relay.push(try await phone.pushed())
    for device in [phone, laptop] {
      try await device.pull(relay.entries(after: device.position))
      #expect(try await device.record(of: row) == record([1: 2, 2: 3, 3: 7]))
      #expect(try await device.replica.held().isEmpty)
      try await device.close()
    }
  }

  /// What is held is what the snapshot says: neither what was held before, nor nothing.
  @Test func whoBeginsAnewHoldsWhatTheSnapshotHolds() async throws {
    let other = key(2)
    var relay = Relay()
    var devices: [Device] = []
    for _ in 0..<3 { devices.append(try await Device(from: Folded())) }
    let (phone, laptop, tablet) = (devices[0], devices[1], devices[2])
    let (old, new) = (record([1: 1, 2: 3]), record([1: 2, 2: 3]))
    try await phone.commit([(row, old)], at: 1)
    try await phone.commit([(other, old)], at: 1)
    relay.push(try await phone.pushed())
    for device in devices { try await device.pull(relay.entries(after: 0)) }
    try await laptop.commit([(closing, record([1: 5]))], at: 2)
    relay.push(try await laptop.pushed())
    try await phone.commit([(row, new)], at: 3)
    try await phone.commit([(other, new)], at: 4)
    relay.push(try await phone.pushed())
    try await tablet.pull(relay.entries(after: tablet.position))
    #expect(try await tablet.replica.held().map(\.id.key) == [row, other])
    // The phone has not seen the closing yet, and takes one of the two back.
    try await phone.commit([(row, old)], at: 5)
    relay.push(try await phone.pushed())
    for device in [phone, laptop] { try await device.pull(relay.entries(after: device.position)) }
    _ = try await tablet.rejoin(try await laptop.replica.snapshot())
    let digest = try await laptop.replica.digest()
    for device in devices {
      #expect(try await device.replica.held().map(\.id.key) == [other])
      #expect(try await device.replica.digest() == digest)
      #expect(try await device.replica.recountedDigest() == digest)
      #expect(try await device.record(of: other) == old)
      #expect(try device.store.verify().isSound)
      try await device.close()
    }
  }
}
