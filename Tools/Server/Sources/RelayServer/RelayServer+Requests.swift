import DaybookEntities
import DaybookSyncWire
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import RateLimits
import Relay

extension RelayServer {
  /// Returns the device to which a request's token belongs.
  ///
  /// - Throws: `RelayRefusal` with `unauthorized` or `tooMany`.
  func device(_ request: Request) async throws -> RelayDevice {
    let device = try await lookUp(token(request))
    try allow(device.tokenHash)
    return device
  }

  /// Returns the ledger of a token, from the cache if possible.
  ///
  /// The store checks later whether the token is still accepted.
  ///
  /// - Throws: `RelayRefusal` with `unauthorized` or `tooMany`.
  func ledger(of token: Hash256) async throws -> EntityID {
    let ledger = if let known = known[token] { known } else { try await lookUp(token).ledger }
    known[token] = ledger
    try allow(token)
    return ledger
  }

  /// Returns the hash of a request's token.
  ///
  /// - Throws: `RelayRefusal` with `unauthorized` if the request has no token.
  func token(_ request: Request) throws -> Hash256 {
    guard let value = request.headers[.authorization], value.hasPrefix("Bearer ") else {
      throw unauthorized
    }
    return DeviceToken.hash(String(value.dropFirst(7)))
  }

  /// Returns the device with the given token hash.
  ///
  /// - Throws: `RelayRefusal` with `unauthorized` if the token is unknown or revoked.
  func lookUp(_ token: Hash256) async throws -> RelayDevice {
    guard let device = try await store.device(token) else { throw unauthorized }
    return device
  }

  /// Throws `RelayRefusal` with `tooMany` if a device sends too many requests.
  func allow(_ token: Hash256) throws {
    guard rates.allows(token, at: .microseconds(options.now())) else {
      throw RelayRefusal(
        .tooMany, "This device sent too many requests. Wait a moment, and try again.", retryAfter: 1
      )
    }
  }

  var unauthorized: RelayRefusal {
    RelayRefusal(.unauthorized, "The token is missing, wrong or revoked.")
  }

  /// Returns the position in a request's parameter `after`.
  func position(_ request: Request) throws -> UInt64 {
    guard let text = request.uri.queryParameters["after"], let position = UInt64(text) else {
      throw RelayRefusal(.malformed, "The parameter “after” must be a position.")
    }
    return position
  }

  /// Reads a request's body, which may be as large as a page.
  func body(_ request: Request) async throws -> [UInt8] {
    do {
      let buffer = try await request.body.collect(upTo: WireLimits.pageByteCountMax)
      return Array(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      throw RelayRefusal(
        .tooLarge, "The body is larger than \(WireLimits.pageByteCountMax) bytes.",
        expected: UInt64(WireLimits.pageByteCountMax))
    } catch {
      throw RelayRefusal(.malformed, "The body is incomplete.")
    }
  }

  func binary(_ bytes: [UInt8]) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/octet-stream"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  func json(_ value: some Encodable) throws -> Response { try answer(value, .ok) }
}

func answer(_ value: some Encodable, _ status: HTTPResponse.Status) throws -> Response {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys]
  return Response(
    status: status, headers: [.contentType: "application/json"],
    body: ResponseBody(byteBuffer: ByteBuffer(bytes: Array(try encoder.encode(value)))))
}
