import Daybook
import DaybookInterchange
import Foundation
import HTTPTypes
import Hummingbird
import Moments
import NIOCore

/// `/v1/info` and the other endpoints for the ledger as a whole.
enum LedgerAPI {
  static let endpoints: [Endpoint] = [
    Endpoint(.get, "/info", "getInfo") { call in
      let token = try call.ledger.token
      let info = try JSONValue(try await call.ledger.info())
      // Clients get the ledger's name, but not the path of its folder.
      let name = call.ledger.path.split(separator: "/").last.map(String.init) ?? ""
      return Answer(.ok, .json(info.setting("path", .string(name))), token: token)
    },
    .read("/settings", "getSettings") { _, snapshot in try snapshot.settings() },
    .write(.put, "/settings", "setSettings", command: "setSettings"),
    .write(.post, "/periods/close", "closePeriod", command: "closePeriod"),
    .write(.post, "/periods/reopen", "reopenPeriod", command: "reopenPeriod"),
    .write(.post, "/commands", "recordCommands") { call in
      guard case .array = try call.json() else {
        throw Problem.body(
          "Expected a list of commands.", remedy: "See Docs/JSON.md for commands.")
      }
      return try JSONText.decode([Command].self, from: call.json())
    },
    Endpoint(
      .post, "/verify", "verify", bodyByteCountMax: Endpoint.jsonByteCountMax
    ) { call in
      _ = try call.body()
      let report = try await call.ledger.verify()
      return Answer(.ok, .json(try JSONValue(report)), token: try call.ledger.token)
    },
    Endpoint(.get, "/export", "export", query: ["format", "asOf"]) { call in
      try await export(call)
    },
    Endpoint(.get, "/openapi.json", "getDocument") { _ in
      Answer(
        .ok,
        .other(
          ResponseBody(byteBuffer: ByteBuffer(string: OpenAPI.text)), type: "application/json"),
        token: nil)
    },
  ]

  private static func format(_ call: Call) throws -> ExportFormat {
    let names = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
    return try call.query.value("format", "one of \(names)") { ExportFormat(rawValue: $0) }
      ?? .jsonLines
  }

  private static func export(_ call: Call) async throws -> Answer {
    let format = try format(call)
    let asOf = try call.query.value("asOf", "a commit's number, a day, or a time") { Moment($0) }
    let token = try asOf?.token(in: call.ledger) ?? call.ledger.token
    if let known = call.known(as: token) { return known }
    // Export to a file first, so that a slow client doesn't keep a reader open and memory use is
    // constant.
    let file = try TemporaryFile()
    let write: @Sendable (borrowing Snapshot) throws -> Token = { snapshot in
      try Exporter.export(snapshot, as: format) { try file.write($0) }
      return snapshot.token
    }
    let of =
      asOf == nil
      ? try call.ledger.read(write)
      : try await call.service.past.read(asOf: token, write)
    let body = ResponseBody(contentLength: try file.rewind()) { writer in
      while let bytes = try file.next() { try await writer.write(ByteBuffer(bytes: bytes)) }
      try await writer.finish(nil)
    }
    let type =
      switch format {
      case .csv: "text/csv; charset=utf-8"
      case .jsonLines: "application/jsonl"
      case .journal, .beancount, .qif: "text/plain; charset=utf-8"
      case .ofx: "application/x-ofx"
      }
    var answer = Answer(.ok, .other(body, type: type), token: of)
    answer.headers[.contentDisposition] = "attachment; filename=\"ledger.\(format.rawValue)\""
    return answer
  }
}

/// An unlinked temporary file that is deleted with the object.
final class TemporaryFile: Sendable {
  private let handle: FileHandle

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    guard
      FileManager.default.createFile(
        atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else {
      throw Problem(
        .outOfRoom, "full", "Couldn't create a temporary file.",
        remedy: "Free disk space on the server, and try again.")
    }
    handle = try FileHandle(forUpdating: url)
    try FileManager.default.removeItem(at: url)
  }

  func write(_ bytes: [UInt8]) throws { try handle.write(contentsOf: Data(bytes)) }

  /// Seeks to the beginning of the file and returns its size in bytes.
  ///
  /// Call it directly after the last write, because the size is the current offset.
  func rewind() throws -> Int {
    let count = try handle.offset()
    try handle.seek(toOffset: 0)
    return Int(count)
  }

  /// Returns the next chunk of up to 64 KiB, or `nil` at the end.
  func next() throws -> Data? {
    let data = try handle.read(upToCount: 65_536)
    return data?.isEmpty == false ? data : nil
  }

  deinit { try? handle.close() }
}
