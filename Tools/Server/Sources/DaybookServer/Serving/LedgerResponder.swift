import Daybook
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Pages

/// A request's context, with the client's address.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let address: String?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    address = source.channel.remoteAddress?.ipAddress
  }
}

/// The responder for all requests: the API below `/v1`, and pages at all other paths.
///
/// Before that, it checks, in this order: the rate limit, the host and origin, the token, the path,
/// and the size of the body.
struct LedgerResponder: HTTPResponder {
  typealias Context = ServerContext

  let service: LedgerService
  let access: Guard
  let site: any PageSite
  let routes: RouteTable
  let rate: RateLimit

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    var response: Response
    do {
      response = try await answer(request, context)
    } catch {
      let problem = Problem(error, hiding: service.ledger.path)
      if problem.code == "unexpected" { context.logger.error("\(request.method) failed: \(error)") }
      response = problem.response
    }
    if request.method == .head { response.body = ResponseBody() }
    access.protect(&response)
    return response
  }

  private func answer(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard rate.take() else { throw RateLimit.problem }
    try access.check(request.head, from: context.address)
    let target = (request.head.path ?? "/").split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = try Self.parts(target[0])
    let query = try Query(target.count > 1 ? target[1] : nil)
    let isAPI = parts.first == "v1"
    if !isAPI, let response = access.signIn(request.head, path: String(target[0]), query: query) {
      return response
    }
    try access.authorize(request.head)
    guard isAPI else { return try await page(request, parts, query) }
    let (endpoint, parameters) = try routes.find(request.method, Array(parts.dropFirst()))
    try query.check(known: endpoint.query, lists: endpoint.lists)
    let body = try await Self.body(of: request, upTo: endpoint.bodyByteCountMax)
    let call = Call(
      service: service, head: request.head, parameters: parameters, query: query, body: body)
    try call.checkUsual(of: endpoint)
    return try await endpoint.handle(call).response
  }

  /// Returns the decoded components of a path; rejects `.`, `..` and encoded separators.
  private static func parts(_ path: Substring) throws -> [String] {
    guard path.hasPrefix("/"), path.utf8.count <= 2_048 else { throw malformed }
    return try path.split(separator: "/").map { part in
      guard let text = PercentCoding.decode(part), text != ".", text != "..", !text.contains("/"),
        !text.contains("\\")
      else { throw malformed }
      return text
    }
  }

  private static let malformed = Problem(
    .badRequest, "malformed", "The path is malformed or too long.",
    remedy: "Percent-encode it according to RFC 3986, without . and .. as segments.",
    place: [.init("in", .string("path"))])

  /// Reads the body.
  ///
  /// - Throws: ``Problem`` 413 if the body is longer than `limit` bytes.
  private static func body(of request: Request, upTo limit: Int) async throws -> [UInt8] {
    let tooLarge = Problem(
      .contentTooLarge, "tooLarge",
      limit == 0 ? "This request must not have a body." : "The body is larger than \(limit) bytes.",
      remedy: limit == 0 ? "Remove the body." : "Split it into smaller requests.",
      place: [.init("in", .string("body"))])
    if let length = request.head.headerFields[.contentLength].flatMap({ Int($0) }), length > limit {
      throw tooLarge
    }
    var bytes: [UInt8] = []
    for try await buffer in request.body {
      guard bytes.count + buffer.readableBytes <= limit else { throw tooLarge }
      bytes.append(contentsOf: buffer.readableBytesView)
    }
    return bytes
  }

  // MARK: Pages

  /// The maximum size of a submitted form with its files, in bytes.
  private static let formByteCountMax = 64 << 20

  private func page(_ request: Request, _ parts: [String], _ query: Query) async throws -> Response
  {
    guard [.get, .head, .post].contains(request.method) else {
      var problem = Problem(
        .methodNotAllowed, "wrongMethod", "Pages only support GET, HEAD and POST.",
        remedy: "Use GET or POST.")
      problem.headers[.allow] = "GET, HEAD, POST"
      throw problem
    }
    if request.method == .post, request.head.headerFields[.origin] == nil,
      request.head.headerFields[.secFetchSite] != "same-origin"
    {
      throw Problem(
        .forbidden, "crossSite", "Forms are only accepted from the server's own pages.",
        remedy: "Use the page, or /v1 from programs.")
    }
    let body = try await Self.body(of: request, upTo: Self.formByteCountMax)
    var headers: [String: String] = [:]
    for field in request.head.headerFields {
      let name = field.name.canonicalName
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    let form = try FormBody(body, type: headers["content-type"])
    let answer = await site.answer(
      PageRequest(
        method: request.method.rawValue, path: "/" + parts.joined(separator: "/"),
        query: query.items, form: form.fields, files: form.files, headers: headers,
        asOf: query.text("asOf"), locales: Self.locales(headers["accept-language"] ?? "")))
    var fields = HTTPFields()
    for (name, value) in answer.headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return Response(
      status: HTTPResponse.Status(code: answer.status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
  }

  /// Returns the languages of `Accept-Language`, most preferred first.
  static func locales(_ header: String) -> [String] {
    let wanted = header.split(separator: ",").prefix(20).map { part -> (String, Double) in
      let sides = part.split(separator: ";")
      let weight = sides.dropFirst().first.flatMap { Double($0.trimmingSpaces.dropFirst(2)) } ?? 1
      return (sides.first.map { $0.trimmingSpaces } ?? "", weight)
    }
    let sorted = wanted.enumerated().sorted {
      ($1.element.1, $0.offset) < ($0.element.1, $1.offset)
    }
    return sorted.map(\.element.0).filter { !$0.isEmpty && $0 != "*" }
  }
}
