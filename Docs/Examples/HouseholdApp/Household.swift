public import Daybook
public import DaybookFoundation
public import Foundation
public import Observation

/// The ledger of the app, which views get from the environment.
///
/// The app creates one `Household`, opens it once, and passes the phases of its scene on.
@MainActor @Observable public final class Household {
  /// What a view can show.
  public enum State {
    case opening
    case open(Ledger)
    /// The ledger couldn't be opened, for a reason to show in an alert.
    case failed(DaybookError)
  }

  /// What a view can show.
  public private(set) var state = State.opening
  /// The last error while the app moved to the background or back.
  public private(set) var problem: DaybookError?
  private let url: URL

  /// The ledger in the app's own container.
  public static var defaultURL: URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    return folders[0].appending(path: "Household.daybook")
  }

  /// A household whose ledger is in a folder.
  public init(at url: URL = Household.defaultURL) { self.url = url }

  /// A household with an open ledger, for previews and tests.
  public init(_ ledger: Ledger) {
    url = ledger.url
    state = .open(ledger)
  }

  /// The ledger, if it is open.
  public var ledger: Ledger? {
    if case .open(let ledger) = state { ledger } else { nil }
  }

  /// Opens the ledger; does nothing if it is open.
  public func open() async {
    guard ledger == nil else { return }
    state = .opening
    do throws(DaybookError) {
      state = .open(try await Ledger.open(at: url))
    } catch {
      state = .failed(error)
    }
  }

  /// Releases the ledger's locks and files.
  ///
  /// Call it within a background task, because iOS suspends
  /// the app soon after its scene has moved to the background.
  public func enterBackground() async {
    await attempt { ledger in try await ledger.suspend(.wait) }
  }

  /// Opens the files again.
  ///
  /// Lists and figures then catch up without further calls.
  public func becomeActive(today: Day = .today()) async {
    await attempt { ledger in
      try await ledger.resume()
      // Records recurring transactions that became due, each exactly once.
      try await ledger.append(.generateDue(through: today))
    }
  }

  private func attempt(_ work: (Ledger) async throws -> Void) async {
    guard let ledger else { return }
    do {
      try await work(ledger)
      problem = nil
    } catch {
      problem = error as? DaybookError
    }
  }
}
