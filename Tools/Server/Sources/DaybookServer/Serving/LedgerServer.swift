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

/// A ledger, served over HTTP.
public enum LedgerServer {
  /// How long a connection may be without a word.
  static let idleTimeout = TimeAmount.seconds(60)
  /// So many connections may be open at once.
  static let connectionCountMax = 1_024
  /// So many bytes all headers of a request may have.
  static let headerByteCountMax = 16 * 1_024

  /// The application that serves a ledger; `runService` runs it until it is told to end.
  ///
  /// - Parameters:
  ///   - ledger: The ledger; whoever opened it closes it when the server has ended.
  ///   - site: What answers outside of `/v1`.
  ///   - past: What answers questions about the past, where the site has one; else a new one.
  ///   - options: To whom, and where.
  ///   - port: The port that clients name in `Host`, where it is not that of the options.
  ///   - onRunning: Called with the port when requests are answered.
  /// - Throws: ``ServerRefusal``, and what reading the certificate throws.
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
