import Daybook
import HTTPTypes
import Hummingbird
import NIOCore

/// What went wrong, as RFC 9457 has it: a code to switch on, the place, the reason and the remedy.
///
/// `type` is `urn:daybook:problem:` and the code, `detail` the reason as a sentence.
struct Problem: Error, Sendable {
  /// The HTTP status.
  var status: HTTPResponse.Status
  /// What went wrong, to switch on.
  var code: String
  /// What, where and why, as a sentence.
  var detail: String
  /// What to do about it, as a sentence; empty where there is nothing.
  var remedy: String
  /// Where: a parameter of the query, a header, a member of the body, a line of a file.
  var place: [JSONValue.Member]
  /// Further members, such as what a write was overtaken by.
  var more: [JSONValue.Member] = []
  /// Headers beside the usual ones.
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

  /// A parameter of the query that is not what it should be.
  static func query(_ name: String, _ detail: String, remedy: String) -> Problem {
    Problem(
      .badRequest, "invalidQuery", detail, remedy: remedy,
      place: [.init("in", .string("query")), .init("name", .string(name))])
  }

  /// A header that is not what it should be.
  static func header(_ name: String, _ detail: String, remedy: String) -> Problem {
    Problem(
      .badRequest, "invalidHeader", detail, remedy: remedy,
      place: [.init("in", .string("header")), .init("name", .string(name))])
  }

  /// A body that is not what it should be; `path` leads to the member.
  static func body(_ detail: String, path: String = "", remedy: String) -> Problem {
    var place: [JSONValue.Member] = [.init("in", .string("body"))]
    if !path.isEmpty { place.append(.init("member", .string(path))) }
    return Problem(.unprocessableContent, "invalidBody", detail, remedy: remedy, place: place)
  }

  /// Something that is not there.
  static func missing(_ what: String, _ name: String) -> Problem {
    Problem(
      .notFound, "missing", "There is no \(what) “\(name.excerpt)”.",
      remedy: "Look for it in the list, or as of an earlier commit.",
      place: [.init("in", .string("path"))])
  }

  /// The problem as it is written.
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

  /// The problem as an answer.
  var response: Response {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: json.line)))
  }
}

extension String {
  /// The beginning of a text that somebody sent, without what no terminal should see.
  var excerpt: String {
    let shown = prefix(80).unicodeScalars.map {
      $0.properties.generalCategory == .control ? "·" : $0
    }
    return String(String.UnicodeScalarView(shown)) + (count > 80 ? "…" : "")
  }
}

extension HTTPResponse.Status {
  /// 507 of RFC 4918.
  static var outOfRoom: Self { Self(code: 507, reasonPhrase: "Insufficient Storage") }
}
