import ArgumentParser
import Foundation
import Hummingbird
import Logging
import Relay
import RelayServer

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve logs from a folder or a PostgreSQL cluster to devices.",
    discussion: "Without --certificate, only this machine can connect.")

  @OptionGroup var place: StoreOption
  @Option(help: "The address to listen on. Default: 127.0.0.1.") var host: String?
  @Option(help: "The port to listen on. Default: 8481.") var port: Int?
  @Option(help: ArgumentHelp("The certificate chain (PEM).", valueName: "path"))
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
          "This relay was restored or moved. Devices that have seen later entries will report it and stop syncing."
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
  /// If the number of connections isn't set, it is the largest number that the limit of open files
  /// allows.
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
        "connections-open is \(options.connectionCountMax), but the open-file limit (ulimit -Hn, "
          + "LimitNOFILE) of \(fileCount) leaves room for \(possible). Lower it, or raise the limit."
      )
    }
    if let count = try settings.number(.requestsPerSecond, in: 1...1_000_000) {
      options.requestsPerSecond = count
    }
    return options
  }

  /// Returns the endpoint from the flags, the environment or the file, in this order of precedence.
  private func endpoint() throws -> RelayEndpoint {
    let settings = try place.settings()
    let host = host ?? settings[.host] ?? "127.0.0.1"
    let port = try port ?? settings.number(.port, in: 1...65_535) ?? 8_481
    guard (1...65_535).contains(port) else {
      throw ValidationError("--port must be from 1 to 65535.")
    }
    let certificate = certificate ?? settings[.certificate]
    let key = key ?? settings[.key]
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key must be used together.")
    }
    guard certificate != nil || ["127.0.0.1", "::1", "localhost"].contains(host) else {
      throw ValidationError(
        "Other machines can reach --host \(host), and requests contain tokens. Use --certificate and --key."
      )
    }
    return RelayEndpoint(
      host: host, port: port, certificate: certificate.flatMap { chain in key.map { (chain, $0) } })
  }
}
