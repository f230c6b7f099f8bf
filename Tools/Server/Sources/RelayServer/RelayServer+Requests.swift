import Entities
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Relay
import SyncWire

extension RelayServer {
  /// The device that a request's token belongs to.
  ///
  /// - Throws: `RelayRefusal` with `unauthorized` or `tooMany`.
  func device(_ request: Request) async throws -> RelayDevice {
    let value = request.headers[.authorization] ?? ""
    guard value.hasPrefix("Bearer "),
      let device = try await store.device(DeviceToken.hash(String(value.dropFirst(7))))
    else {
      throw RelayRefusal(
        .unauthorized, "The token is missing, wrong, or revoked: pair this device again.")
    }
    guard rates.allows(device.tokenHash, now: options.now()) else {
      throw RelayRefusal(.tooMany, "Too many requests of this device.", retryAfter: 1)
    }
    return device
  }

  /// The position in a request's `after`.
  func position(_ request: Request) throws -> UInt64 {
    guard let text = request.uri.queryParameters["after"], let position = UInt64(text) else {
      throw RelayRefusal(.malformed, "The parameter “after” says behind which position.")
    }
    return position
  }

  /// The body, at most a page.
  func body(_ request: Request) async throws -> [UInt8] {
    do {
      let buffer = try await request.body.collect(upTo: WireLimits.pageByteCountMax)
      return Array(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      throw RelayRefusal(
        .tooLarge, "A body has at most \(WireLimits.pageByteCountMax) bytes.",
        expected: UInt64(WireLimits.pageByteCountMax))
    } catch {
      throw RelayRefusal(.malformed, "The body did not come to its end.")
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
