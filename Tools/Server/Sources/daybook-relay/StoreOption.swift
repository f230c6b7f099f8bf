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
    try refusePassword(
      postgres, "or the whole URL into $DAYBOOK_RELAY_POSTGRES or the file of --config.")
  }

  /// What the environment and the file say.
  func settings() throws -> RelaySettings {
    try RelaySettings(path: config, environment: ProcessInfo.processInfo.environment)
  }

  /// Opens the store.
  ///
  /// - Parameter makes: Whether a folder is made where it is missing; a database's schema is made by `migrate` alone.
  func open(makes: Bool = false) async throws -> any RelayStore {
    try await Self.open(
      settings(), folder: folder, postgres: postgres, makes: makes)
  }

  /// Opens the store that settings and flags name.
  static func open(
    _ settings: RelaySettings, folder: String?, postgres: String?, makes: Bool
  ) async throws -> any RelayStore {
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

/// Where a log is moved to.
struct TargetOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The other relay's folder; made where it is missing.", valueName: "path"))
  var toFolder: String?
  @Option(
    help: ArgumentHelp(
      "The PostgreSQL cluster of the other relay; no password.", valueName: "url"))
  var toPostgres: String?
  @Option(
    help: ArgumentHelp(
      "The file that says where the other relay keeps its logs.", valueName: "path"))
  var toConfig: String?

  func validate() throws {
    try refusePassword(toPostgres, "or the whole URL into a file of --to-config.")
    guard [toFolder, toPostgres, toConfig].compactMap(\.self).count <= 1 else {
      throw ValidationError("One of --to-folder, --to-postgres and --to-config.")
    }
  }

  /// Whether it names nothing.
  var isEmpty: Bool { toFolder == nil && toPostgres == nil && toConfig == nil }

  /// What its file says; what the environment says is about this relay alone.
  private func settings() throws -> RelaySettings {
    let settings = try RelaySettings(path: toConfig, environment: [:])
    if let toConfig, settings[.folder] == nil, settings[.postgres] == nil {
      throw ValidationError("\(toConfig) says neither folder nor postgres.")
    }
    return settings
  }

  /// Opens it.
  ///
  /// - Parameters:
  ///   - source: The place from which the log is moved: refused where that is the same folder.
  ///   - makes: Whether a folder is made where it is missing.
  func open(apartFrom source: RelaySettings.Place, makes: Bool) async throws -> any RelayStore {
    let settings = try settings()
    if case .folder(let here) = source,
      case .folder(let there) = try settings.place(folder: toFolder, postgres: toPostgres),
      canonical(here) == canonical(there)
    {
      throw ValidationError("The ledger is in \(there) already; name another folder.")
    }
    return try await StoreOption.open(
      settings, folder: toFolder, postgres: toPostgres, makes: makes)
  }

  private func canonical(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  /// Whether it is a folder that is not there yet.
  var isMissing: Bool {
    toFolder.map { !FileManager.default.fileExists(atPath: $0 + "/data.mdb") } ?? false
  }
}

/// Refuses a connection string with a password in it.
private func refusePassword(_ url: String?, _ remedy: String) throws {
  guard url.map(RelaySettings.hasPassword) != true else {
    throw ValidationError(
      "Others on this machine can read a command line: put the password into ~/.pgpass or $PGPASSFILE, "
        + remedy)
  }
}
