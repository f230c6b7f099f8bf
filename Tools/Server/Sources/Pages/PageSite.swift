/// A site that answers all requests outside `/v1`.
///
/// This protocol is the only connection between the server and the pages: `Pages` imports no HTTP
/// library, and the server calls only ``answer(_:)``. Before that call, the server checks `Host`,
/// `Origin`, the access token and the size of the body. Afterwards it adds the security headers
/// (`Content-Security-Policy: default-src 'self'`, so no page has inline scripts or styles).
public protocol PageSite: Sendable {
  /// Returns the answer to a request; for errors, this is also a page.
  func answer(_ request: PageRequest) async -> PageAnswer
}

/// A request for a page or for one of its assets.
public struct PageRequest: Sendable {
  /// `GET`, `HEAD` or `POST`.
  public var method: String
  /// The decoded path, which begins with `/`; none of its components is `.` or `..`.
  public var path: String
  /// The decoded query parameters, in order.
  public var query: [(name: String, value: String)]
  /// The decoded fields of a submitted form, in order.
  public var form: [(name: String, value: String)]
  /// The uploaded files, with the names sent by the browser.
  public var files: [(name: String, bytes: [UInt8])]
  /// The headers by lowercased name; the values of repeated headers are joined with commas.
  public var headers: [String: String]
  /// The moment in `asOf=`: a commit's number, a day or an instant; `nil` for the newest commit.
  public var asOf: String?
  /// The languages that the browser accepts, most preferred first, such as `["de-AT", "en"]`.
  public var locales: [String]

  /// Creates a request.
  public init(
    method: String = "GET", path: String, query: [(name: String, value: String)] = [],
    form: [(name: String, value: String)] = [], files: [(name: String, bytes: [UInt8])] = [],
    headers: [String: String] = [:], asOf: String? = nil, locales: [String] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.form = form
    self.files = files
    self.headers = headers
    self.asOf = asOf
    self.locales = locales
  }
}

/// The answer to a request for a page.
public struct PageAnswer: Sendable {
  /// The status, such as 200.
  public var status: Int
  /// Headers, such as `("Content-Type", "text/html; charset=utf-8")`.
  ///
  /// The server adds the security headers.
  public var headers: [(name: String, value: String)]
  /// The bytes of the body.
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = [])
  {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
