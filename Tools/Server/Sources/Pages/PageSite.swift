/// What answers every request outside of `/v1`: the page.
///
/// This is all that the server knows of pages, and all that pages know of the server: `Pages` imports no HTTP
/// library, and the server asks nothing but ``answer(_:)``. The server has looked at `Host`, `Origin`, the
/// access token and the size of the body before it asks, and adds the security headers afterwards
/// (`Content-Security-Policy: default-src 'self'`, so no page has inline scripts or styles).
public protocol PageSite: Sendable {
  /// The answer to a request; what goes wrong is an answer too, since a reader sees a page in every case.
  func answer(_ request: PageRequest) async -> PageAnswer
}

/// A request for a page, or for one of its files.
public struct PageRequest: Sendable {
  /// `GET`, `HEAD` or `POST`.
  public var method: String
  /// The path, decoded, beginning with `/`; no part of it is `.` or `..`.
  public var path: String
  /// What follows `?` in the address, decoded, in its order.
  public var query: [(name: String, value: String)]
  /// The fields of a form that was sent, decoded, in their order.
  public var form: [(name: String, value: String)]
  /// Files that were dropped or chosen, with the names that the browser gives them.
  public var files: [(name: String, bytes: [UInt8])]
  /// Headers by lowercased name; of those that come several times, the values with commas between.
  public var headers: [String: String]
  /// The moment that is asked about, as in `asOf=`: the number of a commit, a day or a moment; the newest where
  /// `nil`.
  public var asOf: String?
  /// The languages that the browser asks for, most wanted first, such as `["de-AT", "en"]`.
  public var locales: [String]

  /// A request.
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
  /// Headers, such as `("Content-Type", "text/html; charset=utf-8")`; the server adds those of security.
  public var headers: [(name: String, value: String)]
  /// The body.
  public var body: [UInt8]

  /// An answer.
  public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = [])
  {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
