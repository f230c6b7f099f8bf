import ArgumentParser
import RelayPostgres

struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring a database's schema to the version that this relay needs.",
    discussion: """
      Each step is one transaction; what is there stays. A relay serves a schema of its own version alone: migrate first, \
      then start the new relays.
      """)

  @OptionGroup var place: StoreOption

  func run() async throws {
    try await failing {
      let (from, to) = try await Schema.migrate(place.pool())
      if from == to {
        print("The schema is version \(to) already.")
      } else {
        print("The schema was version \(from), and is version \(to) now.")
      }
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
