public import Daybook
public import DaybookSync
import DaybookSyncWire
public import Observation

/// The settings screen: the base currency, and sharing with other devices.
@MainActor @Observable public final class Sharing {
  /// The state of sync, or `nil` if it isn't known yet.
  public private(set) var state: SyncState?
  /// The code to enter on another device.
  public private(set) var code: String?
  /// The error of the last call, for an alert.
  public private(set) var problem: (any Error)?
  private let ledger: Ledger

  /// The settings of a ledger.
  public init(_ ledger: Ledger) { self.ledger = ledger }

  /// Chooses the currency of all totals.
  public func choose(base: Currency) async {
    await attempt {
      try await ledger.append(.setSettings(SettingsChange(baseCurrency: .some(base))))
    }
  }

  /// Shares the ledger through a relay.
  public func start(relay: String, token: String, deviceName: String) async {
    await attempt {
      try await ledger.sync.start(relay: relay, token: token, deviceName: deviceName)
    }
  }

  /// Shows a code for another device.
  public func invite() async {
    await attempt { code = try await ledger.sync.invite().text }
  }

  /// Syncs while a view is shown, also while the app is in the background and back; call it in
  /// `.task` at the root of the app.
  public func run() async {
    guard (try? await ledger.sync.isShared()) == true else { return }
    let following = Task {
      for await next in ledger.sync.states() { state = next }
    }
    defer { following.cancel() }
    await attempt { try await ledger.sync.run() }
  }

  private func attempt(_ work: () async throws -> Void) async {
    do {
      try await work()
      problem = nil
    } catch is CancellationError {
    } catch {
      problem = error
    }
  }
}
