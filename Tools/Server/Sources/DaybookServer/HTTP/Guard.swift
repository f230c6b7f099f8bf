import Daybook
import HTTPTypes
import Hummingbird
import NIOCore

/// The check that accepts or rejects requests by their `Host`, origin and access token.
///
/// `Docs/Server.md` describes the attacks that this check prevents.
struct Guard: Sendable {
  /// The accepted values of `Host`, in lower case.
  let hosts: Set<String>
  /// The accepted values of `Origin`, in lower case.
  let origins: Set<String>
  /// The secret that every request must carry, if one is set.
  let token: String?
  /// The address of the reverse proxy; if set, requests from other addresses are refused.
  let proxy: String?
  /// Whether browsers use HTTPS to reach the server.
  let isSecure: Bool
  private let failures = RateLimit(perSecond: 2, burst: 20)

  init(
    hosts: Set<String>, origins: Set<String>, token: String?, proxy: String? = nil,
    isSecure: Bool = false
  ) {
    self.hosts = hosts
    self.origins = origins
    self.token = token
    self.proxy = proxy
    self.isSecure = isSecure
  }

  static let cookie = "daybook"

  /// Checks the host and the origin of a request.
  ///
  /// - Throws: ``Problem`` if the request names another host, comes from another site, or bypasses
  ///   the proxy.
  func check(_ head: HTTPRequest, from address: String?) throws {
    if let proxy, address != proxy {
      throw Problem(
        .forbidden, "notTheProxy", "This server only accepts requests from its proxy.",
        remedy: "Use the proxy's address.")
    }
    let host = head.authority?.lowercased() ?? ""
    guard hosts.contains(host) else {
      throw Problem(
        .misdirectedRequest, "wrongHost", "This server doesn't serve the host “\(host.excerpt)”.",
        remedy: "Use the address that the server printed when it started.",
        place: [.init("in", .string("header")), .init("name", .string("Host"))])
    }
    if let origin = head.headerFields[.origin]?.lowercased(), !origins.contains(origin) {
      throw Self.crossSite("Origin")
    }
    let site = head.headerFields[.secFetchSite]
    guard site == "cross-site" || site == "same-site" else { return }
    // Following a link from another site is safe. Any other cross-site request could be an attack.
    let isLink =
      head.method == .get && head.headerFields[.secFetchMode] == "navigate"
      && head.headerFields[.secFetchDestination] == "document"
      && !(head.path ?? "/").hasPrefix("/v1")
    if !isLink { throw Self.crossSite("Sec-Fetch-Site") }
  }

  private static func crossSite(_ header: String) -> Problem {
    Problem(
      .forbidden, "crossSite", "Requests from other sites are refused.",
      remedy: "Use the server's own page, or a program that doesn't send \(header).",
      place: [.init("in", .string("header")), .init("name", .string(header))])
  }

  /// Throws a ``Problem`` if a token is set and the request doesn't carry it.
  func authorize(_ head: HTTPRequest) throws {
    guard let token else { return }
    if let header = head.headerFields[.authorization] {
      let parts = header.split(separator: " ", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == "bearer", Self.isSame(String(parts[1]), token) {
        return
      }
    } else if let sent = Self.cookie(in: head), Self.isSame(sent, token) {
      return
    }
    guard failures.take() else { throw RateLimit.problem }
    var problem = Problem(
      .unauthorized, "noToken", "The access token is missing or wrong.",
      remedy:
        "Send it as `Authorization: Bearer …`. In a browser, open the address with ?token=… once.")
    problem.headers[.wwwAuthenticate] = "Bearer realm=\"Daybook\""
    throw problem
  }

  /// Signs a browser in with the token in the URL.
  ///
  /// The token is stored in a cookie that is not sent with requests from other sites.
  ///
  /// - Returns: A redirect that sets the cookie, or `nil` if the URL has no token or a wrong one.
  func signIn(_ head: HTTPRequest, path: String, query: Query) -> Response? {
    guard let token, head.method == .get, let sent = query.text("token"),
      Self.isSame(sent, token)
    else { return nil }
    let secure = isSecure ? "; Secure" : ""
    var headers = HTTPFields()
    headers[.setCookie] = "\(Self.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict\(secure)"
    headers[.location] = path
    return Response(status: .seeOther, headers: headers)
  }

  private static func cookie(in head: HTTPRequest) -> String? {
    for field in head.headerFields[values: .cookie] {
      for part in field.split(separator: ";") {
        let sides = part.split(separator: "=", maxSplits: 1)
        if sides.count == 2, sides[0].trimmingSpaces == cookie { return sides[1].trimmingSpaces }
      }
    }
    return nil
  }

  /// Compares two texts in a time that doesn't depend on the position of the first difference.
  static func isSame(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    var difference = left.count ^ right.count
    for index in left.indices {
      difference |= Int(left[index] ^ right[index % max(right.count, 1)])
    }
    return difference == 0 && !right.isEmpty
  }

  /// Adds the security headers that restrict a page to this server.
  func protect(_ response: inout Response) {
    let fields: [(HTTPField.Name, String)] = [
      (.contentSecurityPolicy, Self.policy), (.xContentTypeOptions, "nosniff"),
      (.referrerPolicy, "same-origin"), (.openerPolicy, "same-origin"),
      (.resourcePolicy, "same-origin"), (.xFrameOptions, "DENY"),
      (.permissionsPolicy, "camera=(), geolocation=(), microphone=(), payment=()"),
    ]
    for (name, value) in fields { response.headers[name] = value }
    if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
  }

  private static let policy =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
}

extension Substring {
  /// The text without leading and trailing spaces.
  var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension HTTPField.Name {
  static let secFetchMode = Self.known("Sec-Fetch-Mode")
  static let secFetchSite = Self.known("Sec-Fetch-Site")
  static let secFetchDestination = Self.known("Sec-Fetch-Dest")
  static let referrerPolicy = Self.known("Referrer-Policy")
  static let openerPolicy = Self.known("Cross-Origin-Opener-Policy")
  static let resourcePolicy = Self.known("Cross-Origin-Resource-Policy")
  static let permissionsPolicy = Self.known("Permissions-Policy")
  static let xFrameOptions = Self.known("X-Frame-Options")
  static let ledgerToken = Self.known("Daybook-Token")
  static let idempotencyKey = Self.known("Idempotency-Key")
  static let lastEventID = Self.known("Last-Event-ID")

  private static func known(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else {
      preconditionFailure("“\(name)” isn't a valid header name")
    }
    return name
  }
}
