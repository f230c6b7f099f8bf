public import Daybook
import Foundation
import Moments

/// How a ledger is served, and to whom.
public struct ServerOptions: Sendable {
  /// The address to listen at: a name or number of this machine.
  public var host = "127.0.0.1"
  /// The port; any that is free where it is 0.
  public var port = 8_480
  /// The secret that every request has to have, where there is one.
  public var token: String?
  /// The files of the certificate's chain and of its private key (PEM), for HTTPS.
  public var certificate: (chain: String, key: String)?
  /// The address of the proxy that stands before the server, from which alone requests are taken.
  public var trustedProxy: String?
  /// The address under which browsers reach a proxy: `https://books.example.org`.
  public var origin: String?
  /// How many requests a second are answered at most.
  public var requestsPerSecond = 10_000.0
  /// Which day it is; in the local time zone unless told otherwise.
  public var today: @Sendable () -> Day = {
    .local(at: Int64(Date().timeIntervalSince1970 * 1_000_000))
  }

  /// Options that serve this machine alone.
  public init() {}

  /// Whether only this machine can ask.
  var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

  /// Refuses what would let others read the ledger.
  ///
  /// - Throws: ``ServerRefusal``.
  func check() throws {
    if let token, token.utf8.count < 16 {
      throw ServerRefusal(
        "The access token has \(token.utf8.count) characters; 16 are the least that nobody guesses."
      )
    }
    if let token,
      !token.utf8.allSatisfy({
        (0x21...0x7E).contains($0) && ![0x22, 0x2C, 0x3B, 0x5C].contains($0)
      })
    {
      throw ServerRefusal("The access token has characters that no header can carry.")
    }
    if trustedProxy != nil, origin == nil {
      throw ServerRefusal(
        "With a trusted proxy the server has to know by which address browsers reach it: give --origin."
      )
    }
    guard !isLoopback, trustedProxy == nil else { return }
    guard token != nil, certificate != nil else {
      throw ServerRefusal(
        "“\(host)” can be reached from other machines. Give --token-file, --certificate and --key, or name "
          + "the proxy that stands before the server with --trusted-proxy.")
    }
  }

  /// What lets requests in.
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

/// Why a ledger is not served like this.
public struct ServerRefusal: Error, Sendable, CustomStringConvertible {
  /// What is wrong, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
