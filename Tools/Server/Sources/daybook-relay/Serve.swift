import ArgumentParser
import Foundation
import Hummingbird
import Logging
import Relay
import RelayServer

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the logs of a folder, or of a PostgreSQL cluster, to devices.",
    discussion: "Without --certificate it listens to this machine alone.")

  @OptionGroup var place: StoreOption
  @Option(help: "The address to listen at. Default: 127.0.0.1.") var host: String?
  @Option(help: "The port to listen at. Default: 8481.") var port: Int?
  @Option(help: ArgumentHelp("The certificate's chain (PEM).", valueName: "path"))
  var certificate: String?
  @Option(help: ArgumentHelp("The certificate's private key (PEM).", valueName: "path"))
  var key: String?

  func run() async throws {
    LoggingSystem.bootstrap { LogfmtHandler(label: $0) }
    try await failing {
      let endpoint = try endpoint()
      let store = try await place.open()
      if let store = store as? EmbeddedRelayStore, try await store.settle() {
        print(
          "This relay was restored or moved: devices that have seen more than it holds will say so and stop."
        )
      }
      let scheme = endpoint.certificate == nil ? "http" : "https"
      let server = RelayServer(store, options: try options())
      let application = try server.application(at: endpoint) { port in
        print("Serving at \(scheme)://\(endpoint.host):\(port)")
        fflush(nil)
      }
      // SIGTERM and SIGINT stop the server once the requests in progress are complete.
      try await application.runService()
    }
  }

  /// Returns the options for rate limits and connections.
  ///
  /// If the number of connections isn't set, it is as large as the limit of open files allows.
  private func options() throws -> RelayOptions {
    let settings = try place.settings()
    let fileCount = OpenFiles.raiseLimit()
    var pool = 0
    if case .postgres = try place.place() {
      pool = try StoreOption.poolSize(settings)
    }
    let possible = OpenFiles.connectionCountMax(of: fileCount, databaseConnectionCountMax: pool)
    var options = RelayOptions()
    options.connectionCountMax =
      try settings.number(.connectionsOpen, in: 1...1_000_000) ?? possible
    guard options.connectionCountMax <= possible else {
      throw ValidationError(
        "connections-open is \(options.connectionCountMax), but the limit of open files (ulimit -Hn, "
          + "LimitNOFILE) of \(fileCount) leaves room for \(possible).")
    }
    if let count = try settings.number(.requestsPerSecond, in: 1...1_000_000) {
      options.requestsPerSecond = count
    }
    return options
  }

  /// Returns the endpoint from the flags, the environment or the file, in this order.
  private func endpoint() throws -> RelayEndpoint {
    let settings = try place.settings()
    let host = host ?? settings[.host] ?? "127.0.0.1"
    let port = try port ?? settings.number(.port, in: 1...65_535) ?? 8_481
    guard (1...65_535).contains(port) else {
      throw ValidationError("--port has to be from 1 to 65535.")
    }
    let certificate = certificate ?? settings[.certificate]
    let key = key ?? settings[.key]
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key belong together.")
    }
    guard certificate != nil || ["127.0.0.1", "::1", "localhost"].contains(host) else {
      throw ValidationError(
        "Tokens travel with every request: --host needs --certificate and --key.")
    }
    return RelayEndpoint(
      host: host, port: port, certificate: certificate.flatMap { chain in key.map { (chain, $0) } })
  }
}
