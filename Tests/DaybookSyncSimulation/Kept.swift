package import DaybookSync
import Synchronization

/// A value that several tasks share.
package final class Kept<Value: Sendable>: Sendable {
  private let content: Mutex<Value>

  package init(_ value: Value) { content = Mutex(value) }

  package var value: Value {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }

  package func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    content.withLock { body(&$0) }
  }
}

/// Secrets in memory.
package final class MemorySecrets: SecretStore {
  private let kept = Kept<SyncSecrets?>(nil)

  package init() {}

  package func load() throws -> SyncSecrets? { kept.value }
  package func save(_ secrets: SyncSecrets) throws { kept.value = secrets }
  package func remove() throws { kept.value = nil }
}

/// What time it is for devices and relay.
public final class SimulatedClock: Sendable {
  private let microseconds = Kept<Int64>(1_700_000_000_000_000)

  /// A clock that stands still.
  public init() {}

  /// In microseconds since 1970.
  public var now: Int64 { microseconds.value }

  func pass(seconds: Int64) { microseconds.change { $0 += seconds * 1_000_000 } }
}
