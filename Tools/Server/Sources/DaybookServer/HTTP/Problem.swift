import Daybook
import HTTPTypes
import Hummingbird
import NIOCore

/// An error response according to RFC 9457: a code, the location, the reason and the remedy.
///
/// `type` is `urn:daybook:problem:` followed by the code, and `detail` is the reason as a sentence.
struct Problem: Error, Sendable {
  /// The HTTP status.
  var status: HTTPResponse.Status
  /// The code for clients to switch on.
  var code: String
  /// The reason, as a sentence.
  var detail: String
  /// The remedy, as a sentence; empty if there is none.
  var remedy: String
  /// The location of the error: a query parameter, a header, a member of the body, or a file's
  /// line.
  var place: [JSONValue.Member]
  /// Additional members, such as the commits that superseded a write.
  var more: [JSONValue.Member] = []
  /// Additional response headers.
  var headers: HTTPFields = [:]

  init(
    _ status: HTTPResponse.Status, _ code: String, _ detail: String, remedy: String = "",
    place: [JSONValue.Member] = []
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.remedy = remedy
    self.place = place
  }

  /// Returns a problem with a query parameter.
  static func query(_ name: String, _ detail: String, remedy: String) -> Problem {
    Problem(
      .badRequest, "invalidQuery", detail, remedy: remedy,
      place: [.init("in", .string("query")), .init("name", .string(name))])
  }

  /// Returns a problem with a header.
  static func header(_ name: String, _ detail: String, remedy: String) -> Problem {
    Problem(
      .badRequest, "invalidHeader", detail, remedy: remedy,
      place: [.init("in", .string("header")), .init("name", .string(name))])
  }

  /// Returns a problem with the body; `path` is the path of the member.
  static func body(_ detail: String, path: String = "", remedy: String) -> Problem {
    var place: [JSONValue.Member] = [.init("in", .string("body"))]
    if !path.isEmpty { place.append(.init("member", .string(path))) }
    return Problem(.unprocessableContent, "invalidBody", detail, remedy: remedy, place: place)
  }

  /// Returns a problem with status 404.
  ///
  /// - Parameters:
  ///   - what: The kind of the missing item, such as `account`.
  ///   - name: The item's name or id in the request.
  static func missing(_ what: String, _ name: String) -> Problem {
    Problem(
      .notFound, "missing", "There is no \(what) “\(name.excerpt)”.",
      remedy: "Check the list, or read the ledger as of an earlier commit.",
      place: [.init("in", .string("path"))])
  }

  /// The problem's JSON form.
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", .string("urn:daybook:problem:\(code)")),
      .init("title", .string(status.reasonPhrase)), .init("status", .int(Int64(status.code))),
      .init("code", .string(code)), .init("detail", .string(detail)),
    ]
    if !remedy.isEmpty { members.append(.init("remedy", .string(remedy))) }
    if !place.isEmpty { members.append(.init("place", .object(place))) }
    return .object(members + more)
  }

  /// The HTTP response.
  var response: Response {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: json.line)))
  }
}

extension String {
  /// The first 80 characters of a client's text, with control characters replaced by “·”.
  var excerpt: String {
    let shown = prefix(80).unicodeScalars.map {
      $0.properties.generalCategory == .control ? "·" : $0
    }
    return String(String.UnicodeScalarView(shown)) + (count > 80 ? "…" : "")
  }
}

extension HTTPResponse.Status {
  /// Status 507, defined in RFC 4918.
  static var outOfRoom: Self { Self(code: 507, reasonPhrase: "Insufficient Storage") }
}
