import ArgumentParser
import Foundation
import Relay
import RelayPostgres
import RelayServer

/// Where a relay keeps its logs.
struct StoreOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The relay's folder. Default: $DAYBOOK_RELAY, or relay in the current folder.",
      valueName: "path"))
  var folder: String?
  @Option(
    help: ArgumentHelp(
      "The PostgreSQL cluster that keeps the logs, as libpq takes it; no password. Default: $DAYBOOK_RELAY_POSTGRES.",
      valueName: "url"))
  var postgres: String?
  @Option(
    help: ArgumentHelp(
      "A file of lines “name = value”, for what neither flags nor the environment say. Default: $DAYBOOK_RELAY_CONFIG.",
      valueName: "path"))
  var config: String?

  func validate() throws {
    guard postgres.map(RelaySettings.hasPassword) != true else {
      throw ValidationError(
        "Others on this machine can read a command line: put the password into ~/.pgpass or $PGPASSFILE, "
          + "or the whole URL into $DAYBOOK_RELAY_POSTGRES or the file of --config.")
    }
  }

  /// What the environment and the file say.
  func settings() throws -> RelaySettings {
    try RelaySettings(path: config, environment: ProcessInfo.processInfo.environment)
  }

  /// Opens the store.
  ///
  /// - Parameter makes: Whether a folder is made where it is missing; a database's schema is made by `migrate` alone.
  func open(makes: Bool = false) async throws -> any RelayStore {
    let settings = try settings()
    switch try settings.place(folder: folder, postgres: postgres) {
    case .folder(let path):
      guard makes || FileManager.default.fileExists(atPath: path + "/data.mdb") else {
        throw ValidationError(
          "There is no relay in \(path); make one with `daybook-relay init --folder \(path)`.")
      }
      return try EmbeddedRelayStore.open(folder: path)
    case .postgres(let url):
      return try await PostgresRelayStore.open(
        PostgresPool(url, size: Self.poolSize(settings)), direct: settings[.postgresDirect])
    }
  }

  /// How many connections to a database a process has at most.
  static func poolSize(_ settings: RelaySettings) throws -> Int {
    try settings.number(.connections, in: 2...1_000) ?? 16
  }

  /// Where the logs are kept, by flags, environment and file.
  func place() throws -> RelaySettings.Place {
    try settings().place(folder: folder, postgres: postgres)
  }

  /// Connections to the database that is named.
  func pool() throws -> PostgresPool {
    guard case .postgres(let url) = try place() else {
      throw ValidationError("Say with --postgres or $DAYBOOK_RELAY_POSTGRES which database.")
    }
    return PostgresPool(url, size: 2)
  }
}
