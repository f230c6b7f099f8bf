import Daybook
import HTTPTypes
import Hummingbird

/// What is at a path, for a method.
struct Endpoint: Sendable {
  let method: HTTPRequest.Method
  /// The path below `/v1`, its parameters in braces: `/accounts/{account}`.
  let path: String
  /// The name of the operation, as the OpenAPI document has it.
  let operation: String
  /// The parameters of the query that it knows.
  let query: Set<String>
  /// Those that may come several times.
  let lists: Set<String>
  /// The most bytes that a body may have.
  let bodyByteCountMax: Int
  let handle: @Sendable (Call) async throws -> Answer

  /// The most bytes of a JSON body.
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

  /// A question about the ledger: `GET`, with `asOf` and `today`.
  static func read(
    _ path: String, _ operation: String, query: Set<String> = [], lists: Set<String> = [],
    _ body: @escaping @Sendable (Call, borrowing Snapshot) throws -> any Encodable & Sendable
  ) -> Endpoint {
    Endpoint(.get, path, operation, query: query.union(["asOf", "today"]), lists: lists) { call in
      try await call.read(body)
    }
  }

  /// A write, with `dryRun`, of the commands that are made of a request.
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

  /// A write of one command whose members are the body's, and of which the path says the id.
  static func write(
    _ method: HTTPRequest.Method, _ path: String, _ operation: String, command: String,
    id: (member: String, parameter: String)? = nil, _ status: HTTPResponse.Status = .ok
  ) -> Endpoint {
    write(method, path, operation, status) { [try $0.command(command, id: id)] }
  }
}

/// Finds the endpoint of a path.
struct RouteTable: Sendable {
  /// What is at a path: an endpoint for each method.
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
      // What is named comes before what may be anything.
      routes[parts.count] = list.sorted {
        $0.parts.filter { $0.hasPrefix("{") }.count < $1.parts.filter { $0.hasPrefix("{") }.count
      }
    }
  }

  /// The endpoint, and what the path's parameters are.
  ///
  /// - Throws: ``Problem`` 404 where there is nothing at the path, 405 where there is for other methods.
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
        "\(method.rawValue.excerpt) is nothing that can be done here.",
        remedy: "Use \(known.sorted().joined(separator: " or ")).")
      problem.headers[.allow] = known.sorted().joined(separator: ", ")
      throw problem
    }
    throw Problem(
      .notFound, "noSuchPath", "There is nothing at this path.",
      remedy: "See /v1/openapi.json for what there is.")
  }
}
