import Daybook
import DaybookInterchange
import DaybookPackedFormats
import HTTPTypes

/// `/v1/imports`: the upload, preview and import of files.
enum ImportsAPI {
  static let endpoints: [Endpoint] = [
    Endpoint(
      .post, "/imports", "uploadFile", query: ["name"],
      bodyByteCountMax: UploadStore.byteCountMax
    ) { call in
      guard !call.body.isEmpty else {
        throw Problem.body("The file is empty.", remedy: "Send the file's bytes as the body.")
      }
      // Keep only the last component of a path.
      let name = (call.query.text("name") ?? "file").split { $0 == "/" || $0 == "\\" }.last
      let upload = call.service.uploads.put(
        RawFile(call.body, name: name.map(String.init) ?? "file"))
      var answer = Answer(
        .created, .json(try told(upload, call)), token: try call.ledger.token)
      answer.headers[.location] = "/v1/imports/\(upload.id)"
      return answer
    },
    Endpoint(.get, "/imports/{upload}", "getUpload") { call in
      Answer(.ok, .json(try told(try upload(call), call)), token: try call.ledger.token)
    },
    Endpoint(.delete, "/imports/{upload}", "removeUpload") { call in
      guard let id = EntityID(call.parameter("upload")), call.service.uploads.remove(id) else {
        throw Problem.missing("upload", call.parameter("upload"))
      }
      return Answer(.noContent, .none, token: try call.ledger.token)
    },
    Endpoint(
      .post, "/imports/{upload}/preview", "previewImport", query: ["limit"],
      bodyByteCountMax: Endpoint.jsonByteCountMax
    ) { call in
      let preview = try await file(call).preview(limit: call.query.limit(or: 100))
      return Answer(.ok, .json(preview), token: try call.ledger.token)
    },
    Endpoint(
      .post, "/imports/{upload}/commit", "commitImport", query: ["dryRun", "today"],
      bodyByteCountMax: Endpoint.jsonByteCountMax
    ) { call in try await commit(call) },
  ]

  private static func upload(_ call: Call) throws -> UploadStore.Upload {
    guard let id = EntityID(call.parameter("upload")), let upload = call.service.uploads.upload(id)
    else { throw Problem.missing("upload", call.parameter("upload")) }
    return upload
  }

  private static func file(_ call: Call) throws -> FileImport {
    FileImport(
      file: try upload(call).file,
      choices: try JSONText.decode(ImportChoices.self, from: call.json()), ledger: call.ledger)
  }

  private static func told(_ upload: UploadStore.Upload, _ call: Call) throws -> JSONValue {
    let file = try PackedFile.unpacked(upload.file)
    let formats = FileFormats.candidates(file, among: PackedFormats.all).map { $0.name }
    let saved = try call.ledger.read { try SavedMappings($0) }.fitting(file).map { $0.name }
    return .object([
      .init("upload", .string("\(upload.id)")), .init("name", .string(upload.file.name)),
      .init("byteCount", .int(Int64(upload.file.bytes.count))),
      .init("formats", .array((formats.isEmpty ? ["csv"] : formats).map { .string($0) })),
      .init("savedMappings", .array(saved.map { .string($0) })),
    ])
  }

  private static func commit(_ call: Call) async throws -> Answer {
    let isDryRun = try call.query.flag("dryRun") ?? false
    // If the server restarts, it loses the upload, but the ledger still has the receipt of its
    // import.
    let key = try call.idempotencyKey().map {
      RequestKey($0, of: "\(call.head.path ?? "") \(try call.json().line)")
    }
    if !isDryRun {
      try call.service.checkWriting()
      if let key, let receipt = try call.ledger.receipt(for: key) {
        return Answer(.ok, .json(told(receipt)), token: receipt.token)
      }
    }
    if let expected = try call.expectedToken(), try call.ledger.token != expected {
      throw call.overtaken(since: expected)
    }
    let file = try file(call)
    let summary =
      isDryRun ? try await file.rehearse(today: call.today()) : try await file.record(key: key)
    return Answer(.ok, .json(summary), token: try call.ledger.token)
  }

  /// Returns the summary of a repeated import: the recorded transactions, without skipped rows.
  private static func told(_ receipt: Receipt) -> JSONValue {
    let transactions = receipt.transactions.map { JSONValue.string("\($0)") }
    return .object([
      .init("imported", .int(Int64(transactions.count))), .init("dryRun", .bool(false)),
      .init("isRepeat", .bool(true)), .init("transactions", .array(transactions)),
    ])
  }
}
