public import Daybook
import Foundation
import Moments

/// The address and the access control of a server.
public struct ServerOptions: Sendable {
  /// The address or host name to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 selects any free port.
  public var port = 8_480
  /// The secret that every request must carry, or `nil` to require none.
  public var token: String?
  /// The PEM files of the certificate chain and the private key, for HTTPS.
  public var certificate: (chain: String, key: String)?
  /// The address of the reverse proxy; if set, requests from other addresses are refused.
  public var trustedProxy: String?
  /// The URL at which browsers reach the proxy, such as `https://books.example.org`.
  public var origin: String?
  /// The maximum number of requests that are answered per second.
  public var requestsPerSecond = 10_000.0
  /// Returns the current day; by default, the day in the local time zone.
  public var today: @Sendable () -> Day = {
    .local(at: Int64(Date().timeIntervalSince1970 * 1_000_000))
  }

  /// Creates options that serve only this machine.
  public init() {}

  /// Whether the server listens on a loopback address, so that only this machine can reach it.
  var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

  /// Checks that the options don't expose the ledger to unauthorized clients.
  ///
  /// - Throws: ``ServerRefusal`` if they do.
  func check() throws {
    if let token, token.utf8.count < 16 {
      throw ServerRefusal(
        "The access token in the --token-file has only \(token.utf8.count) characters. Use at least 16."
      )
    }
    if let token,
      !token.utf8.allSatisfy({
        (0x21...0x7E).contains($0) && ![0x22, 0x2C, 0x3B, 0x5C].contains($0)
      })
    {
      throw ServerRefusal(
        "The access token in the --token-file has characters that can't be sent in a header. "
          + "Use letters, digits and hyphens.")
    }
    if trustedProxy != nil, origin == nil {
      throw ServerRefusal(
        "--trusted-proxy needs --origin, the address at which browsers reach the proxy."
      )
    }
    guard !isLoopback, trustedProxy == nil else { return }
    guard token != nil, certificate != nil else {
      throw ServerRefusal(
        "“\(host)” is reachable from other machines. Use --token-file, --certificate and --key, or put the "
          + "server behind a proxy with --trusted-proxy.")
    }
  }

  /// Returns the guard for these options.
  func access(port: Int) -> Guard {
    let scheme = certificate == nil ? "http" : "https"
    var hosts: Set<String> = []
    var origins: Set<String> = []
    let names = isLoopback ? ["127.0.0.1", "localhost", "[::1]"] : [host.lowercased()]
    for name in names {
      hosts.insert("\(name):\(port)")
      origins.insert("\(scheme)://\(name):\(port)")
      if port == (certificate == nil ? 80 : 443) {
        hosts.insert(name)
        origins.insert("\(scheme)://\(name)")
      }
    }
    if let origin = origin?.lowercased() {
      origins.insert(origin)
      hosts.insert(String(origin.split(separator: "/").last ?? ""))
    }
    return Guard(
      hosts: hosts, origins: origins, token: token, proxy: trustedProxy,
      isSecure: certificate != nil || origin?.hasPrefix("https:") == true)
  }
}

/// The reason why a ledger can't be served with the given options.
public struct ServerRefusal: Error, Sendable, CustomStringConvertible {
  /// The problem and its remedy, as sentences.
  public let description: String

  init(_ description: String) { self.description = description }
}
