import Daybook
import HTTPTypes
import Hummingbird
import NIOCore

/// An answer of the API, with the token that it is of.
struct Answer: Sendable {
  /// What an answer holds.
  enum Content: Sendable {
    case none
    case json(JSONValue)
    /// JSON, as it is sent.
    case written([UInt8])
    case other(ResponseBody, type: String)
  }

  var status: HTTPResponse.Status
  var content: Content
  var headers: HTTPFields = [:]
  /// The commit that the answer is of.
  var token: Token?
  /// What the answer depends on beside the token: the day that counts as today.
  var day: Day?

  init(_ status: HTTPResponse.Status = .ok, _ content: Content, token: Token?, day: Day? = nil) {
    self.status = status
    self.content = content
    self.token = token
    self.day = day
  }

  /// The entity tag of an answer: its token, and the day that counts as today where the answer is of one.
  static func tag(_ token: Token, _ day: Day?) -> String {
    day.map { "\"\(token.text).\($0)\"" } ?? "\"\(token.text)\""
  }

  /// The answer as it is sent.
  var response: Response {
    var headers = headers
    if let token {
      headers[.eTag] = Self.tag(token, day)
      headers[.ledgerToken] = token.text
    }
    headers[.cacheControl] = headers[.cacheControl] ?? "private, no-cache"
    switch content {
    case .none: return Response(status: status, headers: headers)
    case .json(let value):
      headers[.contentType] = "application/json"
      return Response(
        status: status, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(string: value.line)))
    case .written(let bytes):
      headers[.contentType] = "application/json"
      return Response(
        status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    case .other(let body, let type):
      headers[.contentType] = type
      return Response(status: status, headers: headers, body: body)
    }
  }
}
