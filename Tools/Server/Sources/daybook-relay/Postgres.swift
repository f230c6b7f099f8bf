import ArgumentParser
import RelayPostgres

struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Create the schema that this relay needs in a PostgreSQL database.",
    discussion: """
      Does nothing if the schema is there already. A relay refuses a schema of another version.
      """)

  @OptionGroup var place: StoreOption

  func run() async throws {
    try await failing {
      let found = try await Schema.migrate(place.pool())
      print(found == 0 ? "Created the schema." : "The schema is version \(found) already.")
    }
  }
}

struct Restored: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say that a database was restored from a backup, before it is served.",
    discussion: """
      Each log gets another incarnation. Devices that have seen more than the backup holds say so and stop; the others go \
      on. Nothing is to be said where a standby took over. (A relay in a folder notices by itself.)
      """)

  @OptionGroup var place: StoreOption

  func run() async throws {
    try await failing {
      let count = try await PostgresRelayStore.open(place.pool()).restored()
      print("\(count) logs have another incarnation now.")
    }
  }
}
