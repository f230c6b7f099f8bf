import Daybook
import HTTPTypes
import Hummingbird
import NIOCore

/// A response of the API, with the token of the commit it describes.
struct Answer: Sendable {
  /// The body of an answer.
  enum Content: Sendable {
    case none
    case json(JSONValue)
    /// JSON that is already encoded.
    case written([UInt8])
    case other(ResponseBody, type: String)
  }

  var status: HTTPResponse.Status
  var content: Content
  var headers: HTTPFields = [:]
  /// The commit that the answer describes.
  var token: Token?
  /// The day that counted as today, if the answer depends on it.
  var day: Day?

  init(_ status: HTTPResponse.Status = .ok, _ content: Content, token: Token?, day: Day? = nil) {
    self.status = status
    self.content = content
    self.token = token
    self.day = day
  }

  /// Returns the entity tag for a token and, if the answer depends on it, the day that counted as
  /// today.
  static func tag(_ token: Token, _ day: Day?) -> String {
    day.map { "\"\(token.text).\($0)\"" } ?? "\"\(token.text)\""
  }

  /// The HTTP response.
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
