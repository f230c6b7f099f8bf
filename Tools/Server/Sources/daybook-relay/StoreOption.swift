import ArgumentParser
import Foundation
import Relay
import RelayPostgres
import RelayServer

/// The options for the location of a relay's logs.
struct StoreOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The relay's folder. Default: $DAYBOOK_RELAY, or relay in the current folder.",
      valueName: "path"))
  var folder: String?
  @Option(
    help: ArgumentHelp(
      "The PostgreSQL cluster with the logs, as a libpq connection string without a password. Default: $DAYBOOK_RELAY_POSTGRES.",
      valueName: "url"))
  var postgres: String?
  @Option(
    help: ArgumentHelp(
      "A settings file with lines of “name = value”. Flags and the environment take precedence. Default: $DAYBOOK_RELAY_CONFIG.",
      valueName: "path"))
  var config: String?

  func validate() throws {
    try refusePassword(
      postgres, "or the whole URL into $DAYBOOK_RELAY_POSTGRES or the --config file.")
  }

  /// Returns the settings from the environment and the file.
  func settings() throws -> RelaySettings {
    try RelaySettings(path: config, environment: ProcessInfo.processInfo.environment)
  }

  /// Opens the store.
  ///
  /// - Parameter makes: Whether to create a missing folder. The schema of a database is created
  ///   only by `migrate`.
  func open(makes: Bool = false) async throws -> any RelayStore {
    try await Self.open(
      settings(), folder: folder, postgres: postgres, makes: makes)
  }

  /// Opens the store according to settings and flags.
  static func open(
    _ settings: RelaySettings, folder: String?, postgres: String?, makes: Bool
  ) async throws -> any CopyTarget {
    switch try settings.place(folder: folder, postgres: postgres) {
    case .folder(let path):
      guard makes || FileManager.default.fileExists(atPath: path + "/data.mdb") else {
        throw ValidationError(
          "\(path) doesn't contain a relay. Create one with `daybook-relay init --folder \(path)`.")
      }
      return try EmbeddedRelayStore.open(folder: path)
    case .postgres(let url):
      return try await PostgresRelayStore.open(
        PostgresPool(url, size: Self.poolSize(settings)), direct: settings[.postgresDirect])
    }
  }

  /// Returns the maximum number of connections to a database per process.
  static func poolSize(_ settings: RelaySettings) throws -> Int {
    try settings.number(.connections, in: 2...1_000) ?? 16
  }

  /// Returns the location of the logs from the flags, the environment or the file, in this order of
  /// precedence.
  func place() throws -> RelaySettings.Place {
    try settings().place(folder: folder, postgres: postgres)
  }

  /// Returns a pool of connections to the database.
  func pool() throws -> PostgresPool {
    guard case .postgres(let url) = try place() else {
      throw ValidationError(
        "This command needs a database. Pass it with --postgres or $DAYBOOK_RELAY_POSTGRES.")
    }
    return PostgresPool(url, size: 2)
  }
}

/// The options for the store to which logs are copied.
struct TargetOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder to copy to; created if missing.", valueName: "path"))
  var toFolder: String?
  @Option(
    help: ArgumentHelp(
      "The PostgreSQL cluster to copy to, as a connection string without a password.",
      valueName: "url"))
  var toPostgres: String?
  @Option(
    help: ArgumentHelp(
      "The settings file of the relay to copy to.", valueName: "path"))
  var toConfig: String?

  func validate() throws {
    try refusePassword(toPostgres, "or the whole URL into a file of --to-config.")
    guard [toFolder, toPostgres, toConfig].compactMap(\.self).count == 1 else {
      throw ValidationError("Pass one target: --to-folder, --to-postgres or --to-config.")
    }
  }

  /// Returns the settings from the target's file.
  ///
  /// The environment is ignored, because it describes the source of the copy.
  private func settings() throws -> RelaySettings {
    let settings = try RelaySettings(path: toConfig, environment: [:])
    if let toConfig, settings[.folder] == nil, settings[.postgres] == nil {
      throw ValidationError("\(toConfig) sets neither folder nor postgres. Add one of them.")
    }
    return settings
  }

  /// Returns the target's location, with an absolute path if it is a folder.
  ///
  /// - Throws: `ValidationError` if the target is the source.
  func place(apartFrom source: RelaySettings.Place) throws -> RelaySettings.Place {
    let place = try settings().place(folder: toFolder, postgres: toPostgres)
    guard case .folder(let there) = place else { return place }
    let url = URL(fileURLWithPath: there)
    if case .folder(let here) = source,
      URL(fileURLWithPath: here).resolvingSymlinksInPath().standardizedFileURL
        == url.resolvingSymlinksInPath().standardizedFileURL
    {
      throw ValidationError("The source and the target are the same folder. Choose another target.")
    }
    return .folder(url.standardizedFileURL.path)
  }

  /// Opens the store, creating a missing folder.
  func open() async throws -> any CopyTarget {
    try await StoreOption.open(settings(), folder: toFolder, postgres: toPostgres, makes: true)
  }
}

/// Throws a `ValidationError` if a connection string contains a password.
private func refusePassword(_ url: String?, _ remedy: String) throws {
  guard url.map(RelaySettings.hasPassword) != true else {
    throw ValidationError(
      "Other users of this machine can read passwords on the command line. Put the password into ~/.pgpass or $PGPASSFILE, "
        + remedy)
  }
}
