import Daybook
import DaybookEngine
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire

/// A commit of this device that can't be encoded for other devices.
///
/// Commits are sent in order, so later commits wait for this one. Pulling continues, and no
/// recorded data is lost.
public struct UnsendableCommit: Hashable, Sendable, Encodable {
  /// The commit's number in this ledger's history.
  public var commit: UInt64
  /// The reason why the commit can't be encoded.
  public var reason: String

  /// A sentence for users, followed by a remedy.
  public var description: String { "\(message) \(Self.remedy)" }

  var message: String {
    "Couldn't send commit \(commit) of this device: \(reason). Later commits can't be sent before it."
  }

  static let remedy =
    "Nothing is lost, and other devices' changes still arrive. Update Daybook and sync again. If that doesn't help, "
    + "share this ledger again: `daybook sync leave`, then `daybook sync start` with the token of a new log, and join "
    + "from the other devices into new folders."

  var error: SyncError { SyncError(.unsendable, message, remedy: Self.remedy) }
}

extension LedgerSync {
  /// Returns the commits of this device that can't be sent; empty unless there is a defect.
  ///
  /// This method doesn't contact the relay and needs no secrets.
  ///
  /// - Returns: The commits in the order of history; empty if the ledger isn't shared.
  /// - Throws: ``SyncError``.
  /// - Complexity: O(changes of pending commits).
  public func unsendableCommits() async throws -> [UnsendableCommit] {
    guard try await isShared() else { return [] }
    return try await translated {
      guard let replica = try? Replica(ledger.store, rules: .ledger) else { return [] }
      return try await replica.unsendableCommits(options.parts)
    }
  }
}

extension Replica {
  /// Returns the pending commits for which `parts` throws an error.
  func unsendableCommits(
    _ parts: (WireCommit) throws(WireError) -> [CommitPart]
  ) async throws -> [UnsendableCommit] {
    try await pendingInHistory().compactMap { sequence, commit in
      do throws(WireError) {
        _ = try parts(WireCommit(commit, link: .zero, state: .zero))
        return nil
      } catch {
        return UnsendableCommit(commit: sequence, reason: error.message)
      }
    }
  }
}
