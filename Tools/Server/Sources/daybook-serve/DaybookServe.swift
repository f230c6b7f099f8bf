import ArgumentParser
import Daybook
import DaybookServer
import Foundation
import Hummingbird
import Moments
import Pages

/// The command that serves a ledger to browsers and programs.
@main
struct DaybookServe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook-serve",
    abstract: "Serve a ledger as a web page and an HTTP API.",
    discussion: """
      Only this machine can connect unless you pass --host or --trusted-proxy. The page is at the printed address; the \
      API is under /v1 and described at /v1/openapi.json. Docs/Server.md explains access and security.
      """)

  @Option(
    help: ArgumentHelp(
      "The ledger's folder.",
      discussion: "Default: $DAYBOOK_LEDGER, or Household.daybook in the current folder.",
      valueName: "path"))
  var ledger: String?

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on.")
  var port = 8_480

  @Option(
    help: ArgumentHelp(
      "A file with the access token that every request must contain, on one line.",
      valueName: "path"))
  var tokenFile: String?

  @Option(help: ArgumentHelp("The certificate chain for HTTPS (PEM).", valueName: "path"))
  var certificate: String?

  @Option(help: ArgumentHelp("The certificate's private key (PEM).", valueName: "path"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "Accept requests only from the proxy at this address.", valueName: "address"))
  var trustedProxy: String?

  @Option(
    help: ArgumentHelp(
      "The address at which browsers reach the proxy, such as https://books.example.org.",
      valueName: "origin"))
  var origin: String?

  @Flag(help: "Serve the ledger read-only.")
  var readOnly = false

  @Option(help: ArgumentHelp("The day to use as today.", valueName: "yyyy-mm-dd"))
  var today: String?

  func validate() throws {
    guard (1...65_535).contains(port) else {
      throw ValidationError("--port must be from 1 to 65535.")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key must be used together.")
    }
    if let today, Day(today) == nil {
      throw ValidationError("--today must be a date such as 2026-02-15, not “\(today)”.")
    }
  }

  func run() async throws {
    do {
      try await serve()
    } catch let code as ExitCode {
      throw code
    } catch let error as ValidationError {
      throw error
    } catch {
      FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
      throw ExitCode.failure
    }
  }

  private func serve() async throws {
    var options = ServerOptions()
    options.host = host
    options.port = port
    if let tokenFile {
      let text = try String(contentsOfFile: tokenFile, encoding: .utf8)
      options.token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    if let certificate, let key { options.certificate = (certificate, key) }
    options.trustedProxy = trustedProxy
    options.origin = origin
    if let today, let day = Day(today) { options.today = { day } }
    let environment = ProcessInfo.processInfo.environment
    let path = ledger ?? environment["DAYBOOK_LEDGER"] ?? "Household.daybook"
    let address = "\(certificate == nil ? "http" : "https")://\(host):\(port)/"
    let opening = Ledger.Options(
      author: environment["USER"] ?? "", source: "daybook-serve", isReadOnly: readOnly,
      createsIfMissing: false)
    let settled = options
    try await Ledger.withLedger(at: path, options: opening) { ledger in
      let past = PastReader(ledger)
      let site = LedgerSite(ledger, past: past, isForReading: readOnly, today: settled.today)
      let application = try LedgerServer.application(
        ledger, site: site, past: past, options: settled
      ) { _ in
        print("Serving \(path) at \(address)")
        fflush(nil)
      }
      try await application.runService()
    }
  }
}
