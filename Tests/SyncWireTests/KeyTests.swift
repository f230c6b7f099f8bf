// Goal: keys reach the devices they are for, and nobody else; a code is read as it was typed.
// Method: round trips with the wrong device, epoch, ledger; every slip of a character.

import DaybookEntities
import Testing

@testable import DaybookSyncWire

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
    var forged = wrap
    forged.ephemeralPublicKey = weak.bytes
    #expect(throws: WireError.self) { try device.unwrap(forged, epoch: 3, ledger: ledger) }
  }

  @Test func keysCompareAndComeBackByTheirBytes() throws {
    let device = DeviceKey()
    let again = try #require(DeviceKey(secret: device.secret))
    #expect(again.publicKey == device.publicKey)
    #expect(DeviceKey().publicKey != device.publicKey)
    #expect(DeviceKey(secret: Array(device.secret.dropLast())) == nil)
    #expect(LedgerKey(bytes: key.bytes) == key)
    #expect(LedgerKey() != key)
    #expect(LedgerKey(bytes: key.bytes + [0]) == nil)
    #expect("\(key)" == "LedgerKey(…)")
  }

  @Test func hashesComeBackFromTheirText() throws {
    let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let hash = Hash256(hashing: Array("abc".utf8))
    #expect(hash.description == text)
    #expect(Hash256(text) == hash)
    #expect(Hash256(text.uppercased()) == hash)
    #expect(Hash256(hash.bytes) == hash)
    for wrong in ["", String(text.dropLast()), text + "0", text.replacing("b", with: "g")] {
      #expect(Hash256(wrong) == nil)
    }
    #expect(Hash256(Array(hash.bytes.dropLast())) == nil)
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
