public import Observation

/// A live list of all transactions of the last months, up to today.
///
/// ```swift
/// struct Recent: View {
///   @State var window: TransactionWindow
///   var body: some View {
///     List(window.sections) { section in … }
///       .task { await window.run() }
///       .task { await window.follow(calendarDays) }
///   }
/// }
/// ```
///
/// The window begins the day after today's date ``monthCount`` months ago, and ends with ``today``:
/// on 15 February, a window of three months begins on 16 November. Later transactions are planned
/// and not included. The app sets the current day, through ``today`` or ``follow(_:)``.
///
/// The window holds all its rows; use ``TransactionPager`` for lists of unlimited length. A commit
/// updates only the rows that it changed. On a new day, the window removes the rows of days that it
/// no longer covers, and reads only the rows of new days. Reads run off the main actor, and an idle
/// window has no open read.
///
/// If a read fails, ``error`` is set. The rows remain, unless they belong to a previous query or
/// the query has become invalid. The window tries again after the next commit, on a new day, or on
/// ``refresh()``.
@Observable @MainActor public final class TransactionWindow {
  /// The ledger whose transactions are listed; it must stay open.
  public let ledger: Ledger

  /// The current day, which the app sets.
  public var today: Day { didSet { if today != oldValue { ask() } } }
  /// The number of months in the window, clamped to 1 through ``LedgerLimits/windowMonthCountMax``.
  public var monthCount: Int {
    didSet {
      let clamped = TransactionWindow.clamped(monthCount)
      // This assignment calls `didSet` again.
      if clamped != monthCount {
        monthCount = clamped
      } else if monthCount != oldValue {
        ask()
      }
    }
  }
  /// The filter of the list; its range of days is ignored.
  public var filter: TransactionFilter { didSet { if filter != oldValue { ask() } } }

  /// The sections, newest day first; their rows have no balance.
  public private(set) var sections: [TransactionSection] = []
  /// The number of transactions.
  public private(set) var count = 0
  /// Whether the window is being read after a change of its days or filter.
  public private(set) var isLoading = false
  /// The error of the last read, or `nil` if it succeeded.
  public private(set) var error: DaybookError?

  /// A closure called on the main actor after each change of the sections, with the differences
  /// from the old sections.
  @ObservationIgnored public var onChange: ((TransactionListDifference) -> Void)?

  @ObservationIgnored private let rows = FetchLoop<WindowPart>()
  @ObservationIgnored private var part: WindowPart?
  /// The number of the read that, when it completes, sets ``isLoading`` to `false`.
  @ObservationIgnored private var loadingRequest = 0

  /// Creates a window without reading anything.
  ///
  /// The first read is made by ``run()``, ``refresh()`` or a change of a property.
  public init(
    _ ledger: Ledger, today: Day, monthCount: Int = 3, filter: TransactionFilter = .all
  ) {
    self.ledger = ledger
    self.today = today
    self.monthCount = TransactionWindow.clamped(monthCount)
    self.filter = filter
    rows.resumed = { [store = ledger.store] in await store.waitWhileSuspended() }
    rows.prepare = { [weak self] in self?.nextFetch() }
    rows.publish = { [weak self] in self?.show($0) }
  }

  /// The days of the window, half-open.
  public var days: Range<Day> {
    today.adding(months: -monthCount).adding(days: 1)..<today.adding(days: 1)
  }

  /// The sums of all transactions per currency, in order of currency code; see ``DaySection``.
  ///
  /// - Complexity: O(days).
  public var sums: [Total] {
    var sums: [Currency: Int128] = [:]
    for total in sections.lazy.flatMap(\.sums) { sums[total.currency, default: 0] += total.units }
    return sums.filter { $0.value != 0 }.sortedTotals()
  }

  /// Loads the window and keeps it current until the task is cancelled or the ledger is closed.
  ///
  /// The window follows the commits of all processes.
  public func run() async {
    if part == nil, !rows.isBusy { ask() }
    await ledger.follow { [weak self] event in
      guard let self else { return }
      switch event {
      case .commit(let token) where token == part?.token && error == nil: break
      case .commit, .closed: rows.want()
      case .failure(let failure): error = failure
      }
    }
    await settled()
  }

  /// Sets ``today`` to each day of a sequence, until the sequence ends or the task is cancelled.
  ///
  /// - Parameter days: A sequence provided by the app, which delivers the current day and then each
  ///   new day when it begins.
  public func follow<Days: AsyncSequence>(_ days: Days) async where Days.Element == Day {
    do {
      for try await day in days { today = day }
    } catch {
      self.error = .wrapping(error)
    }
  }

  /// Updates the window to the newest commit, and returns when it is shown; retries after an error.
  public func refresh() async {
    isLoading = true
    loadingRequest = rows.want()
    await settled()
  }

  /// Waits until nothing is being read.
  package func settled() async { await rows.settled() }

  /// The commit of the loaded rows, or `nil` while rows are being read or counted; for tests.
  package var settledToken: Token? { rows.isBusy ? nil : part?.token }

  private static func clamped(_ count: Int) -> Int {
    min(max(count, 1), LedgerLimits.windowMonthCountMax)
  }

  private func ask() {
    isLoading = true
    loadingRequest = rows.want(isNewQuestion: true)
  }

  private func nextFetch() -> (@Sendable () throws -> WindowPart)? {
    let request = WindowRequest(filter: filter, days: days, known: error == nil ? part : nil)
    return { [ledger] in try ledger.read { try request.answer($0) } }
  }

  private func show(_ result: Result<WindowPart, any Error>) {
    if isLoading, rows.hasServed(loadingRequest) { isLoading = false }
    switch result {
    case .success(let fresh):
      if error != nil { error = nil }
      show(fresh)
    case .failure(let failure):
      let wrapped = DaybookError.wrapping(failure)
      error = wrapped
      if part?.filter != filter || part?.days != days || wrapped.code == .invalidQuery { show(nil) }
    }
  }

  private func show(_ fresh: WindowPart?) {
    part = fresh
    let now = fresh.map { TransactionSection.sections($0.rows, $0.summaries) } ?? []
    if now == sections { return }
    let difference = onChange == nil ? nil : TransactionListDifference(from: sections, to: now)
    sections = now
    count = fresh?.rows.count ?? 0
    if let difference { onChange?(difference) }
  }
}
