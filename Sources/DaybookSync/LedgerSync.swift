public import Daybook
import DaybookEngine
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookReplicas
public import DaybookSyncWire
import Foundation
import Synchronization

/// Shares a ledger between several devices.
///
/// Recording never waits for sync. Each device records as usual, online or offline. Whenever the
/// relay can be reached, local changes are sent and other devices' changes are pulled.
/// `Docs/Sync.md` describes the guarantees and the rules for merging the changes of several
/// devices.
///
/// ```swift
/// try await ledger.sync.start(
///   relay: "https://relay.example:8481", token: token, deviceName: "Phone")
/// show(try await ledger.sync.invite().text)          // entered on the other device:
/// try await other.sync.join(code, relay: "https://relay.example:8481", deviceName: "Laptop")
///
/// let task = Task { try await ledger.sync.run() }    // runs until it is cancelled
/// for await state in ledger.sync.states() { show(state) }
/// ```
public final class LedgerSync: Sendable {
  let ledger: Ledger
  let options: SyncOptions
  private let connecting = ConnectingActor()
  let board = StateBoard()

  /// Creates the sync object of a ledger.
  ///
  /// Apps use ``/Daybook/Ledger/sync``, unless they provide their own transport or secret store.
  /// Create only one `LedgerSync` for each ledger.
  public init(_ ledger: Ledger, options: SyncOptions) {
    self.ledger = ledger
    self.options = options
  }

  /// The most recent sync state known to this object.
  public var state: SyncState { board.state }

  /// Returns the current sync state, and each new state when it changes.
  ///
  /// A consumer that is slow receives only the newest state.
  public func states() -> AsyncStream<SyncState> { board.states() }

  /// Returns whether the ledger is shared.
  ///
  /// - Throws: ``SyncError``.
  public func isShared() async throws -> Bool {
    try await translated {
      try ledger.store.consumers().contains { $0.name == Replica.consumer }
    }
  }

  /// Pulls other devices' changes and pushes local changes, once.
  ///
  /// - Returns: The state after the exchange.
  /// - Throws: ``SyncError``. No data is lost, and the exchange can be retried.
  @discardableResult
  public func exchange() async throws -> SyncState {
    board.change { $0.activity = .exchanging }
    do {
      try await exchangeOnce()
      let time = options.now()
      board.change {
        $0.problem = nil
        $0.exchanged = time
      }
    } catch {
      board.change {
        $0.activity = .idle
        $0.problem = error as? SyncError
      }
      throw error
    }
    board.change { $0.activity = .idle }
    return try await refresh()
  }

  /// Exchanges once.
  ///
  /// If the log shows that another copy uses this replica's name, this method sets a new name and
  /// exchanges again.
  func exchangeOnce() async throws {
    let exchange = try await connected()
    var fault: (any Error)?
    do { try await exchange.alone { try await $0.exchange() } } catch { fault = error }
    guard let fault else { return }
    guard case ReplicaFault.unknownOwnCommit = fault else {
      throw SyncError.wrapping(fault, at: try? relay())
    }
    try await translated { try await exchange.alone { try await $0.replica.rename() } }
    await disconnect()
    let renamed = try await connected()
    try await translated { try await renamed.alone { try await $0.exchange() } }
  }

  /// Recomputes the state from local data, without contacting the relay.
  ///
  /// - Throws: ``SyncError``.
  public func refresh() async throws -> SyncState {
    let exchange = try await connected()
    let found = try await standing(exchange)
    board.change { found.apply(to: &$0) }
    return state
  }

  /// Runs `body` and then computes the sync state, with no other exchange in between.
  func standing(
    _ exchange: Exchange,
    after body: @escaping @Sendable (isolated Exchange) async throws -> Void = { _ in }
  ) async throws -> Standing {
    try await translated {
      var found = try await exchange.alone { exchange in
        try await body(exchange)
        return try await exchange.standing()
      }
      found.findingCount += try await ledger.findingsOfState().count
      return found
    }
  }

  /// Returns the exchange, which is created on first use.
  ///
  /// - Throws: ``SyncError`` with `notShared`, `incomplete`, `missingKey` or `secrets`.
  func connected() async throws -> Exchange {
    try await translated {
      try await connecting.exchange { [self] in
        let replica = try Replica(ledger.store, rules: .ledger)
        guard var memory = try await LogMemory(replica) else {
          throw SyncError(
            .incomplete, "This copy of the ledger is incomplete: joining was interrupted.",
            remedy: "Delete the folder and join again.")
        }
        // A restored backup gets a replica name of its own.
        let own = try await replica.id().rawValue
        if own != memory.own {
          memory.own = own
          try await replica.note([memory.identityNote])
        }
        guard let secrets = try options.secrets.load() else {
          throw SyncError.missingSecrets(options.secrets)
        }
        return try await made(replica, secrets, memory)
      }
    }
  }

  func made(_ replica: Replica, _ secrets: SyncSecrets, _ memory: LogMemory) async throws
    -> Exchange
  {
    Exchange(
      replica, try options.connect(secrets.relay, secrets.token), options.secrets, secrets,
      memory, options, progress: progress)
  }

  /// Reports the progress of the current operation.
  var progress: @Sendable (Double?) -> Void {
    { [board] part in board.change { $0.progress = part } }
  }

  /// Discards the exchange.
  ///
  /// The next exchange starts from the stored notes and secrets.
  package func disconnect() async { await connecting.forget() }

  /// Runs `body`, and rethrows errors of lower layers as ``SyncError``.
  ///
  /// - Parameter address: The relay's address if a person has just entered it. If `nil`, error
  ///   messages name the ledger's saved relay.
  func translated<Value>(
    at address: String? = nil, _ body: () async throws -> Value
  ) async throws -> Value {
    do { return try await body() } catch {
      throw SyncError.wrapping(
        error, at: address ?? (try? relay()), isPairing: address != nil)
    }
  }
}

/// Options for sharing a ledger.
public struct SyncOptions: Sendable {
  /// The store for this device's secrets.
  public var secrets: any SecretStore
  /// Creates the transport to a relay from the relay's address and this device's token; the token
  /// is empty until the relay has issued one.
  public var connect: @Sendable (_ relay: String, _ token: String) throws -> any SyncTransport
  /// Returns the time of this device's clock, in microseconds since 1970.
  public var now: @Sendable () -> Int64
  /// Splits a commit into the parts in which it is sent.
  var parts: @Sendable (WireCommit) throws(WireError) -> [CommitPart] = {
    (commit) throws(WireError) in try CommitPart.parts(of: commit)
  }
  /// The interval at which a device publishes its position and the proof of its State, in seconds;
  /// daily by default.
  public var beaconSeconds = 86_400.0
  /// How long the log is kept for a device that sends nothing, in seconds; 90 days by default.
  ///
  /// A device that returns after that starts over from a snapshot, and records its unsent commits
  /// again on top of the snapshot.
  public var absenceSeconds = 90 * 86_400.0

  /// Creates options for HTTP.
  public init(secrets: any SecretStore) {
    self.secrets = secrets
    connect = { try HTTPTransport(relay: $0, token: $1) }
    now = EventStoreOptions.systemClock
  }
}

extension Ledger {
  /// The sync object of this ledger, which uses HTTP and keeps its secrets in the ledger's folder.
  ///
  /// For another transport or secret store, create your own ``LedgerSync``.
  public var sync: LedgerSync {
    companion {
      LedgerSync($0, options: SyncOptions(secrets: FileSecrets(path: $0.path + "/sync.json")))
    }
  }
}

/// Creates the exchange only once, even if several callers request it at the same time.
private actor ConnectingActor {
  private var made: Task<Exchange, any Error>?

  func exchange(_ make: @escaping @Sendable () async throws -> Exchange) async throws -> Exchange {
    let task = made ?? Task { try await make() }
    made = task
    do {
      return try await task.value
    } catch {
      made = nil
      throw error
    }
  }

  func forget() { made = nil }
}
