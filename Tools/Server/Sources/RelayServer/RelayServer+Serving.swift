public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL

/// The address on which a relay listens, and the relay's certificate.
public struct RelayEndpoint: Sendable {
  /// The address or host name to listen on.
  public var host: String
  /// The port to listen on; 0 selects any free port.
  public var port: Int
  /// The paths of the certificate chain and of the private key (PEM); if `nil`, TLS is off.
  public var certificate: (chain: String, key: String)?

  /// Creates an endpoint.
  public init(host: String, port: Int, certificate: (chain: String, key: String)? = nil) {
    self.host = host
    self.port = port
    self.certificate = certificate
  }
}

extension RelayServer {
  /// Returns the application that serves the store.
  ///
  /// `runService` runs the application until it is stopped. Requests in progress are then
  /// completed.
  ///
  /// - Parameter onRunning: Called with the actual port once the server accepts requests.
  /// - Throws: Errors that occur when the certificate is read.
  public func application(
    at endpoint: RelayEndpoint, onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
  ) throws -> some ApplicationProtocol {
    var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
    decoder.maxHeaderFieldSize = Self.headerByteCountMax
    decoder.maxHeaderListSize = Self.headerByteCountMax
    decoder.maxHeaderFieldCount = 100
    let requestTime = TimeAmount.milliseconds(Int64(options.requestSeconds * 1_000))
    let configuration = HTTP1Channel.Configuration(
      additionalChannelHandlers: [SmallBuffers(), RequestDeadline(requestTime)],
      idleTimeout: .milliseconds(Int64(options.idleSeconds * 1_000)),
      httpDecoderConfiguration: decoder)
    let plain = HTTPServerBuilder { responder in
      OnItsLoop(base: HTTP1Channel(responder: responder, configuration: configuration))
    }
    var server = plain
    if let certificate = endpoint.certificate {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate.chain)
      let key = try NIOSSLPrivateKey(file: certificate.key, format: .pem)
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      tls.minimumTLSVersion = .tlsv12
      server = try .tls(plain, tlsConfiguration: tls)
    }
    var logger = Logger(label: "daybook-relay")
    logger.logLevel = .notice
    var application = Application(
      router: router(), server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(endpoint.host, port: endpoint.port), serverName: "daybook-relay",
        availableConnectionsDelegate: MaximumAvailableConnections(options.connectionCountMax)),
      onServerRunning: { await onRunning($0.localAddress?.port ?? endpoint.port) }, logger: logger)
    application.addServices(RelayUpkeep(store, metrics, options))
    return application
  }

  /// The maximum size of all headers of a request, in bytes.
  static let headerByteCountMax = 16 * 1_024
}
