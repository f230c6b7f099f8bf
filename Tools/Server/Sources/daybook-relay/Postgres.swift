import ArgumentParser
import RelayPostgres

struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Create the schema that this relay needs in a PostgreSQL database.",
    discussion: """
      Does nothing if the schema already exists. A relay refuses a schema with another version.
      """)

  @OptionGroup var place: StoreOption

  func run() async throws {
    try await failing {
      let found = try await Schema.migrate(place.pool())
      print(found == 0 ? "Created the schema." : "The schema is already at version \(found).")
    }
  }
}

struct Restored: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Mark a database as restored from a backup, before serving it.",
    discussion: """
      Gives each log a new incarnation. Devices that have seen entries after the backup report it and stop syncing; other \
      devices continue. Not needed when a standby took over. A relay in a folder detects a restored backup \
      automatically.
      """)

  @OptionGroup var place: StoreOption

  func run() async throws {
    try await failing {
      let count = try await PostgresRelayStore.open(place.pool()).restored()
      print("Gave \(count) \(count == 1 ? "log" : "logs") a new incarnation.")
    }
  }
}
