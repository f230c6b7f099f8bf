public import Daybook
import Foundation
public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
public import Moments
import NIOCore
import NIOSSL
public import Pages

/// A server that serves a ledger over HTTP.
public enum LedgerServer {
  /// The time after which an idle connection is closed.
  static let idleTimeout = TimeAmount.seconds(60)
  /// The maximum number of connections open at once.
  static let connectionCountMax = 1_024
  /// The maximum size of all headers of a request, in bytes.
  static let headerByteCountMax = 16 * 1_024

  /// Returns the application that serves a ledger; `runService` runs it until it is stopped.
  ///
  /// - Parameters:
  ///   - ledger: The ledger. The caller closes it after the server has stopped.
  ///   - site: The pages outside `/v1`.
  ///   - past: A reader for past states, shared with the site; `nil` creates one.
  ///   - options: The server's address and access control.
  ///   - onRunning: Called with the actual port once the server accepts requests.
  /// - Throws: ``ServerRefusal``, or an error from reading the certificate.
  public static func application(
    _ ledger: Ledger, site: any PageSite = BareSite(), past: PastReader? = nil,
    options: ServerOptions = ServerOptions(),
    onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
  ) throws -> some ApplicationProtocol {
    try options.check()
    let responder = LedgerResponder(
      service: LedgerService(ledger, past: past, today: options.today),
      access: options.access(port: options.port), site: site,
      routes: RouteTable(API.endpoints),
      rate: RateLimit(perSecond: options.requestsPerSecond, burst: options.requestsPerSecond))
    var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
    decoder.maxHeaderFieldSize = headerByteCountMax
    decoder.maxHeaderListSize = headerByteCountMax
    decoder.maxHeaderFieldCount = 100
    let plain = HTTPServerBuilder.http1(
      configuration: .init(idleTimeout: idleTimeout, httpDecoderConfiguration: decoder))
    var server = plain
    if let certificate = options.certificate {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate.chain)
      let key = try NIOSSLPrivateKey(file: certificate.key, format: .pem)
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      tls.minimumTLSVersion = .tlsv12
      server = try .tls(plain, tlsConfiguration: tls)
    }
    var logger = Logger(label: "daybook-serve")
    logger.logLevel = .error
    return Application(
      responder: responder, server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(connectionCountMax)),
      onServerRunning: { await onRunning($0.localAddress?.port ?? options.port) }, logger: logger)
  }
}
