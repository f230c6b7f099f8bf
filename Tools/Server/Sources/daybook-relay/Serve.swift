import ArgumentParser
import Foundation
import Hummingbird
import Relay
import RelayServer

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the logs of a folder to devices.",
    discussion: "Without --certificate it listens to this machine alone.")

  @OptionGroup var folder: FolderOption
  @Option(help: "The address to listen at.") var host = "127.0.0.1"
  @Option(help: "The port to listen at.") var port = 8_481
  @Option(help: ArgumentHelp("The certificate's chain (PEM).", valueName: "path"))
  var certificate: String?
  @Option(help: ArgumentHelp("The certificate's private key (PEM).", valueName: "path"))
  var key: String?

  func validate() throws {
    guard (1...65_535).contains(port) else {
      throw ValidationError("--port has to be from 1 to 65535.")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key belong together.")
    }
    guard certificate != nil || ["127.0.0.1", "::1", "localhost"].contains(host) else {
      throw ValidationError(
        "Tokens travel with every request: --host needs --certificate and --key.")
    }
  }

  func run() async throws {
    try await failing {
      let store = try folder.open()
      if try await store.settle() {
        print(
          "This relay was restored or moved: devices that have seen more than it holds will say so and stop."
        )
      }
      let server = RelayServer(store)
      let scheme = certificate == nil ? "http" : "https"
      let host = host
      let endpoint = RelayEndpoint(
        host: host, port: port,
        certificate: certificate.flatMap { chain in key.map { (chain, $0) } })
      let application = try server.application(at: endpoint) { port in
        print("Serving at \(scheme)://\(host):\(port)")
        fflush(nil)
      }
      // Ends by SIGTERM and SIGINT, after the requests that run.
      try await application.runService()
    }
  }
}
