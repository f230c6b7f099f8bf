import CLibPQ

/// The servers in a connection string, in the order in which they are tried.
struct ServerList: Hashable, Sendable {
  /// A server's host and port.
  struct Server: Hashable, Sendable {
    var host: String
    var port: String
  }

  /// The servers; empty if the string leaves the choice to libpq.
  private(set) var servers: [Server] = []

  /// - Parameter url: The connection string in libpq's syntax.
  init(_ url: String) {
    guard let options = PQconninfoParse(url, nil) else { return }
    defer { PQconninfoFree(options) }
    var found: [String: String] = [:]
    var next = options
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val { found[String(cString: keyword)] = String(cString: value) }
      next += 1
    }
    guard let hosts = found["host"], found["hostaddr"] == nil else { return }
    let names = hosts.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let ports = (found["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
      .map(String.init)
    servers = names.enumerated().map { index, name in
      Server(host: name, port: ports.count == 1 ? ports[0] : ports.dropFirst(index).first ?? "")
    }
  }

  /// Returns the same servers, with one server moved to the end.
  func avoiding(_ server: Server?) -> ServerList {
    var list = self
    list.servers = servers.filter { $0 != server } + servers.filter { $0 == server }
    return list
  }

  /// The connection parameters for libpq.
  var parameters: [(String, String)] {
    guard !servers.isEmpty else { return [] }
    return [
      ("host", servers.map(\.host).joined(separator: ",")),
      ("port", servers.map(\.port).joined(separator: ",")),
    ]
  }
}
