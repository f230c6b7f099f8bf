import DaybookEntities
import DaybookSyncWire
import Foundation
import Hummingbird
import RateLimits
import Relay

extension RelayServer {
  /// Adds the routes for listing, adding and revoking devices, and for invitations.
  func addDevices(_ log: RouterGroup<BasicRequestContext>) {
    log.get("devices") { request, _ in
      try json(await store.devices(of: device(request).ledger).map(PairedDevice.init))
    }
    log.post("devices") { request, _ in try await addDevice(request) }
    log.delete("devices/:hash") { request, context in
      let device = try await device(request)
      guard let hash = Hash256(try context.parameters.require("hash")) else {
        throw RelayRefusal(.malformed, "A token's hash must have 64 hexadecimal digits.")
      }
      guard try await store.revoke(hash, of: device.ledger) else {
        throw RelayRefusal(.notFound, "The ledger has no device with this token hash.")
      }
      return Response(status: .noContent)
    }
    log.put("invitations/:mailbox") { request, context in
      let device = try await device(request)
      let mailbox = try mailbox(context)
      let now = options.now()
      guard invitations.allows(device.ledger, at: .microseconds(now)) else {
        throw tooMany("invitations")
      }
      try await store.putInvitation(
        SealedEntry(bytes: await body(request)), mailbox: mailbox, of: device.ledger, now: now)
      return Response(status: .noContent)
    }
    // A new device has no token yet, but the mailbox's name is as secret as a token.
    log.post("invitations/:mailbox/take") { _, context in
      binary(try await store.takeInvitation(mailbox: mailbox(context), now: options.now()).bytes)
    }
  }

  private func addDevice(_ request: Request) async throws -> Response {
    let device = try await device(request)
    let bytes = try await body(request)
    let asked: NewDevice
    do {
      asked = try JSONDecoder().decode(NewDevice.self, from: Data(bytes))
    } catch {
      throw RelayRefusal(.malformed, "Expected a new device as {\"name\": \"…\"}.")
    }
    guard newcomers.allows(device.ledger, at: .microseconds(options.now())) else {
      throw tooMany("new devices")
    }
    return try json(
      NewDeviceAnswer(token: try await store.admit(asked.name, to: device.ledger)))
  }

  private func mailbox(_ context: BasicRequestContext) throws -> String {
    let mailbox = try context.parameters.require("mailbox")
    guard mailbox.utf8.count == 32, mailbox.utf8.allSatisfy(isLowerHexDigit) else {
      throw RelayRefusal(.malformed, "A mailbox must have 32 lowercase hexadecimal digits.")
    }
    return mailbox
  }

  private func tooMany(_ what: String) -> RelayRefusal {
    RelayRefusal(
      .tooMany, "Too many \(what) for this ledger: at most \(options.newcomersPerHour) per hour.",
      retryAfter: 3_600 / max(options.newcomersPerHour, 1))
  }
}

private func isLowerHexDigit(_ byte: UInt8) -> Bool {
  UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
}
