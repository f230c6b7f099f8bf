import Daybook
import HTTPTypes
import Hummingbird

/// An operation of the API: a method, a path, and a handler.
struct Endpoint: Sendable {
  let method: HTTPRequest.Method
  /// The path below `/v1`, with its parameters in braces: `/accounts/{account}`.
  let path: String
  /// The `operationId` in the OpenAPI document.
  let operation: String
  /// The accepted query parameters.
  let query: Set<String>
  /// The query parameters that may be repeated.
  let lists: Set<String>
  /// The maximum size of a request's body, in bytes.
  let bodyByteCountMax: Int
  let handle: @Sendable (Call) async throws -> Answer

  /// The maximum size of a JSON body, in bytes.
  static let jsonByteCountMax = 1 << 20

  init(
    _ method: HTTPRequest.Method, _ path: String, _ operation: String, query: Set<String> = [],
    lists: Set<String> = [], bodyByteCountMax: Int = 0,
    _ handle: @escaping @Sendable (Call) async throws -> Answer
  ) {
    self.method = method
    self.path = path
    self.operation = operation
    self.query = query.union(lists)
    self.lists = lists
    self.bodyByteCountMax = bodyByteCountMax
    self.handle = handle
  }

  /// Returns a `GET` endpoint that reads the ledger, and accepts `asOf` and `today`.
  static func read(
    _ path: String, _ operation: String, query: Set<String> = [], lists: Set<String> = [],
    _ body: @escaping @Sendable (Call, borrowing Snapshot) throws -> any Encodable & Sendable
  ) -> Endpoint {
    Endpoint(.get, path, operation, query: query.union(["asOf", "today"]), lists: lists) { call in
      try await call.read(body)
    }
  }

  /// Returns an endpoint that records commands created from the request.
  ///
  /// It accepts `dryRun` and `today`.
  static func write(
    _ method: HTTPRequest.Method, _ path: String, _ operation: String, query: Set<String> = [],
    _ status: HTTPResponse.Status = .ok,
    _ commands: @escaping @Sendable (Call) throws -> [Command]
  ) -> Endpoint {
    Endpoint(
      method, path, operation, query: query.union(["dryRun", "today"]),
      bodyByteCountMax: jsonByteCountMax
    ) { call in
      try await call.record(try commands(call), status)
    }
  }

  /// Returns an endpoint that records one command, created from the body and the id in the path.
  static func write(
    _ method: HTTPRequest.Method, _ path: String, _ operation: String, command: String,
    id: (member: String, parameter: String)? = nil, _ status: HTTPResponse.Status = .ok
  ) -> Endpoint {
    write(method, path, operation, status) { [try $0.command(command, id: id)] }
  }
}

/// A table that finds the endpoint for a path.
struct RouteTable: Sendable {
  /// A path and its endpoints by method.
  private struct Route: Sendable {
    var parts: [Substring]
    var endpoints: [HTTPRequest.Method: Endpoint]
  }

  private var routes: [Int: [Route]] = [:]

  init(_ endpoints: [Endpoint]) {
    for endpoint in endpoints {
      let parts = endpoint.path.split(separator: "/")
      var list = routes[parts.count] ?? []
      if let index = list.firstIndex(where: { $0.parts == parts }) {
        list[index].endpoints[endpoint.method] = endpoint
      } else {
        list.append(Route(parts: parts, endpoints: [endpoint.method: endpoint]))
      }
      // Fixed parts take precedence over parameters.
      routes[parts.count] = list.sorted {
        $0.parts.filter { $0.hasPrefix("{") }.count < $1.parts.filter { $0.hasPrefix("{") }.count
      }
    }
  }

  /// Returns the endpoint for a method and a path, and the values of the path's parameters.
  ///
  /// - Throws: ``Problem`` 404 if the path is unknown, 405 if the path exists only for other
  ///   methods.
  func find(
    _ method: HTTPRequest.Method, _ path: [String]
  ) throws -> (Endpoint, [String: String]) {
    for route in routes[path.count] ?? [] {
      var parameters: [String: String] = [:]
      let fits = zip(route.parts, path).allSatisfy { part, given in
        guard part.hasPrefix("{") else { return part == given }
        parameters[String(part.dropFirst().dropLast())] = given
        return true
      }
      guard fits else { continue }
      if let endpoint = route.endpoints[method == .head ? .get : method] {
        return (endpoint, parameters)
      }
      let known =
        route.endpoints.keys.map(\.rawValue) + (route.endpoints[.get] == nil ? [] : ["HEAD"])
      var problem = Problem(
        .methodNotAllowed, "wrongMethod",
        "This path doesn't support \(method.rawValue.excerpt).",
        remedy: "Use \(known.sorted().joined(separator: " or ")).")
      problem.headers[.allow] = known.sorted().joined(separator: ", ")
      throw problem
    }
    throw Problem(
      .notFound, "noSuchPath", "This path doesn't exist.",
      remedy: "See /v1/openapi.json for all paths.")
  }
}
