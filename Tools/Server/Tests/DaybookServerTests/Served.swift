// What the tests of the server share: a ledger that is served without a network, and short verbs for requests.
import Daybook
import DaybookTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import DaybookServer

let today = Day("2026-02-15") ?? .min

/// An answer, read.
struct Told {
  let status: Int
  let headers: HTTPFields
  let text: String

  init(_ response: TestResponse) {
    status = response.status.code
    headers = response.headers
    text = String(buffer: response.body)
  }

  /// The body as JSON.
  func json() throws -> JSONValue { try JSONText.read(Array(text.utf8)) }
  /// What a problem says that it is.
  var code: String? { (try? json())?["code"]?.text }
  var tag: String? { headers[.eTag] }
}

/// A client of a served ledger.
struct Client {
  let ledger: Ledger
  fileprivate let base: any TestClientProtocol

  func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
    headers: [(HTTPField.Name, String)] = []
  ) async throws -> Told {
    var fields = HTTPFields()
    if body != nil { fields[.contentType] = "application/json" }
    for (name, value) in headers { fields[name] = value }
    return try await base.execute(
      uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) }
    ) { Told($0) }
  }

  func get(_ path: String, headers: [(HTTPField.Name, String)] = []) async throws -> Told {
    try await send(.get, path, headers: headers)
  }

  func post(
    _ path: String, _ body: String, headers: [(HTTPField.Name, String)] = []
  ) async throws -> Told {
    try await send(.post, path, body, headers: headers)
  }
}

/// Serves a sample household to `body`.
func serving(
  seed: UInt64 = 7, count: Int = 300, token: String? = nil,
  _ body: @escaping @Sendable (Client) async throws -> Void
) async throws {
  let household = SampleHousehold(seed: seed, transactionCount: count, through: today)
  let ledger = try await household.ledger()
  try await serving(ledger, token: token, body)
  try await ledger.close()
}

/// Serves a ledger to `body`.
func serving(
  _ ledger: Ledger, token: String? = nil,
  _ body: @escaping @Sendable (Client) async throws -> Void
) async throws {
  var options = ServerOptions()
  options.today = { today }
  // The name by which the testing library calls the server.
  options.origin = "http://localhost"
  options.token = token
  let application = try LedgerServer.application(ledger, options: options)
  try await application.test(.router) { client in
    try await body(Client(ledger: ledger, base: client))
  }
}

extension JSONValue {
  /// The elements, where it is a list.
  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// The names of members, where it is an object.
  var names: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.name)
  }

  /// The whole number, where it is one.
  var number: Int64? {
    guard case .int(let number) = self else { return nil }
    return number
  }
}
