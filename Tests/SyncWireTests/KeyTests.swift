// Goal: keys reach the devices they are for, and nobody else; a code is read as it was typed.
// Method: round trips with the wrong device, epoch, ledger; every slip of a character.

import Entities
import Testing

@testable import SyncWire

@Suite struct KeyTests {
  @Test func wrapsOpenForTheirDeviceOnly() throws {
    let device = DeviceKey()
    let wrap = try KeyWrap(key, epoch: 3, ledger: ledger, replica: 1, for: device.publicKey)
    #expect(try device.unwrap(wrap, epoch: 3, ledger: ledger) == key)
    #expect(throws: WireError.self) { try DeviceKey().unwrap(wrap, epoch: 3, ledger: ledger) }
    #expect(throws: WireError.self) { try device.unwrap(wrap, epoch: 4, ledger: ledger) }
    var other = wrap
    other.replica = 2
    #expect(throws: WireError.self) { try device.unwrap(other, epoch: 3, ledger: ledger) }
    let weak = try #require(DevicePublicKey(bytes: [UInt8](repeating: 0, count: 32)))
    #expect(throws: WireError.self) {
      try KeyWrap(key, epoch: 3, ledger: ledger, replica: 1, for: weak)
    }
  }

  @Test func aRevokedDeviceHasNoKey() throws {
    var ring = KeyRing(first: key)
    ring[2] = LedgerKey()
    var header = sampleHeader()
    header.epoch = 2
    let entry = try SealedEntry.seal([1], header, ledger: ledger, key: try #require(ring[2]))
    #expect(try entry.open(ledger: ledger, ring: ring) == [1])
    do {
      _ = try entry.open(ledger: ledger, ring: KeyRing(first: key))
      Issue.record("it was opened")
    } catch {
      #expect(error.code == .missingKey)
    }
  }

  @Test func codesFindSlips() throws {
    let code = PairingCode()
    #expect(PairingCode(code.text) == code)
    #expect(PairingCode(code.text.lowercased().replacing("-", with: " ")) == code)
    let characters = Array(code.text.replacing("-", with: ""))
    #expect(characters.count == 26)
    for index in 0..<25 where characters[index] != characters[index + 1] {
      var slip = characters
      slip.swapAt(index, index + 1)
      // One of 1,024 is not found.
      if let found = PairingCode(String(slip)) { #expect(found != code) }
    }
    #expect(PairingCode(String(characters.dropLast())) == nil)
  }

  @Test func invitationsOpenWithTheirCode() throws {
    let code = PairingCode()
    let invitation = Invitation(
      ledger: ledger, relay: "https://relay.example:8443", token: "t", position: 9, link: hash(4),
      keys: KeyRing(first: key))
    let sealed = try invitation.seal(for: code, replica: 1, clock: 2)
    #expect(try Invitation(opening: SealedEntry(bytes: sealed.bytes), with: code) == invitation)
    #expect(throws: WireError.self) { try Invitation(opening: sealed, with: PairingCode()) }
  }
}
