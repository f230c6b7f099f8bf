import ArgumentParser
import DaybookEntities
import DaybookSyncWire
import Foundation
import Relay

/// The command-line tool of a relay, which stores and serves the logs of shared ledgers.
@main
struct DaybookRelay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook-relay",
    abstract: "Store and order the encrypted logs of shared ledgers.",
    discussion: """
      The relay can't read entries. It gives each a position and a time. Docs/Sync.md describes what a malicious \
      relay could do, and what devices would detect.
      """,
    subcommands: [
      Init.self, Serve.self, Devices.self, Ledgers.self, Trim.self, Backup.self, Verify.self,
      Copy.self, Migrate.self, Restored.self,
    ])
}

/// Parses a ledger's id.
@Sendable func ledgerID(_ text: String) throws -> EntityID {
  guard let id = EntityID(text) else {
    throw ValidationError("“\(text)” is not a ledger's id. Use 32 hexadecimal digits.")
  }
  return id
}

/// Runs a command; if it throws, prints the error on standard error and exits with code 1.
func failing(_ body: () async throws -> Void) async throws {
  do {
    try await body()
  } catch let error where error is ExitCode || error is ValidationError {
    throw error
  } catch let refusal as RelayRefusal {
    FileHandle.standardError.write(Data("Error: \(refusal.message)\n".utf8))
    throw ExitCode.failure
  } catch {
    FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
    throw ExitCode.failure
  }
}
