public import Daybook
import Entities
import Foundation
import LedgerMerging
import Merging
import Projecting
import Replicas
public import SyncWire
import Synchronization

/// A ledger on several devices: what it shares, and with whom.
///
/// Recording never waits for it. Each device records as ever, online or not; what it recorded is sent, and what the
/// others recorded comes in, whenever the relay can be reached. `Docs/Sync.md` says what is promised and by which
/// rules two devices' changes become one.
///
/// ```swift
/// try await ledger.sync.start(relay: "https://relay.example:8481", token: token, deviceName: "Phone")
/// show(try await ledger.sync.invite().text)          // typed on the other device:
/// try await other.sync.join(code, relay: "https://relay.example:8481", deviceName: "Laptop")
///
/// let task = Task { await ledger.sync.run() }        // until it is cancelled
/// for await state in ledger.sync.states() { show(state) }
/// ```
public final class LedgerSync: Sendable {
  let ledger: Ledger
  let options: SyncOptions
  private let connecting = ConnectingActor()
  let board = StateBoard()

  /// The sharing of a ledger.
  ///
  /// Apps use ``/Daybook/Ledger/sync``, unless they bring a way or a place for secrets of their own. Have one of it
  /// for a ledger.
  public init(_ ledger: Ledger, options: SyncOptions) {
    self.ledger = ledger
    self.options = options
  }

  /// How the ledger stands with the others, as far as this object has seen.
  public var state: SyncState { board.state }

  /// How the ledger stands with the others: now, and whenever it changes; whoever is slow misses what is between.
  public func states() -> AsyncStream<SyncState> { board.states() }

  /// Whether the ledger is shared.
  ///
  /// - Throws: ``SyncError``.
  public func isShared() async throws -> Bool {
    try await translated {
      try ledger.store.consumers().contains { $0.name == Replica.consumer }
    }
  }

  /// Pulls what the others recorded, and pushes what was recorded here, once.
  ///
  /// - Returns: How the ledger stands afterwards.
  /// - Throws: ``SyncError``; nothing is lost, and it may be tried again.
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

  /// Exchanges; where the log shows that another copy goes on under this one's name, under another name.
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

  /// The state, counted anew from what is here; the relay is not asked.
  ///
  /// - Throws: ``SyncError``.
  public func refresh() async throws -> SyncState {
    let exchange = try await connected()
    let found = try await standing(exchange)
    board.change { found.apply(to: &$0) }
    return state
  }

  /// How the ledger stands, once `body` has been done; nothing else is exchanged meanwhile.
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

  /// The end of the exchange, made when it is first needed.
  ///
  /// - Throws: ``SyncError`` with `notShared`, `secrets`.
  func connected() async throws -> Exchange {
    try await translated {
      try await connecting.exchange { [self] in
        let replica = try Replica(ledger.store, rules: .ledger)
        guard var memory = try await LogMemory(replica) else {
          throw SyncError(
            .incomplete, "Joining was interrupted before this copy had everything.",
            remedy: "Remove the folder and join again.")
        }
        // A backup that is restored has a name of its own.
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

  /// Tells how much of what is done is done.
  var progress: @Sendable (Double?) -> Void {
    { [board] part in board.change { $0.progress = part } }
  }

  /// Forgets the connection, so that the next one begins with what is kept.
  package func disconnect() async { await connecting.forget() }

  /// Throws a ``SyncError`` for an error of the layers below.
  ///
  /// - Parameter address: the relay that is asked, where somebody has just given it; without it, the one that the
  ///   ledger is shared by.
  func translated<Value>(
    at address: String? = nil, _ body: () async throws -> Value
  ) async throws -> Value {
    do { return try await body() } catch {
      throw SyncError.wrapping(
        error, at: address ?? (try? relay()), isPairing: address != nil)
    }
  }
}

/// How a ledger is shared, where that is not as usual.
public struct SyncOptions: Sendable {
  /// Where this device's secrets are kept.
  public var secrets: any SecretStore
  /// How a relay is reached, by its address and this device's token (empty before it has one).
  public var connect: @Sendable (_ relay: String, _ token: String) throws -> any SyncTransport
  /// This device's clock, in microseconds since 1970.
  public var now: @Sendable () -> Int64
  /// Cuts a commit into the parts that are sent.
  var parts: @Sendable (WireCommit) throws(WireError) -> [CommitPart] = {
    (commit) throws(WireError) in try CommitPart.parts(of: commit)
  }
  /// How often a device says what it has seen and what its State is, in seconds.
  public var beaconSeconds = 86_400.0
  /// For how long the log waits for a device that is not heard of, in seconds: 90 days.
  ///
  /// A device that comes later begins anew with a snapshot, and records what it had not sent anew on it.
  public var absenceSeconds = 90 * 86_400.0

  /// Over HTTP, with secrets in a file.
  public init(secrets: any SecretStore) {
    self.secrets = secrets
    connect = { try HTTPTransport(relay: $0, token: $1) }
    now = EventStoreOptions.systemClock
  }
}

extension Ledger {
  /// The sharing of this ledger: with a relay over HTTP, and its secrets in the ledger's folder.
  ///
  /// For another way, or another place for secrets, make a ``LedgerSync`` of your own.
  public var sync: LedgerSync {
    companion {
      LedgerSync($0, options: SyncOptions(secrets: FileSecrets(path: $0.path + "/sync.json")))
    }
  }
}

/// Makes the exchange once, whoever comes first.
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
