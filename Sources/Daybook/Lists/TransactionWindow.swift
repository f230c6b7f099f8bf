public import Observation

/// All transactions of the last months, up to today, kept current for a user interface.
///
/// ```swift
/// struct Recent: View {
///   @State var window: TransactionWindow
///
///   var body: some View {
///     List(window.sections) { section in … }
///       .task { await window.run() }
///       .task { await window.follow(calendarDays) }
///   }
/// }
/// ```
///
/// The window reaches from the day after the same day ``monthCount`` months ago through ``today``: on
/// 15 February, of three months, from 16 November on. Later days are planned, and no part of it. What
/// day it is, is always said by the app: by setting ``today``, or with ``follow(_:)``.
///
/// All rows are held: for lists without end there is ``TransactionPager``. A commit corrects the rows that
/// it changed, and another day lets the old ones go and reads those of the days that came in; nothing
/// else is read again. Reads run off the main actor, and none is held while nothing happens.
///
/// Where a read fails, ``error`` says why, and what was shown stays, unless it answered another
/// question, or one that cannot be asked any more. The next commit, another day or ``refresh()`` tries again.
@Observable @MainActor public final class TransactionWindow {
  /// The ledger whose rows are listed; it has to stay open.
  public let ledger: Ledger

  /// What day it is.
  public var today: Day { didSet { if today != oldValue { ask() } } }
  /// How many months the window reaches back, from 1 to ``LedgerLimits/windowMonthCountMax``; clamped.
  public var monthCount: Int {
    didSet {
      let clamped = TransactionWindow.clamped(monthCount)
      // Setting it comes back here.
      if clamped != monthCount {
        monthCount = clamped
      } else if monthCount != oldValue {
        ask()
      }
    }
  }
  /// Which of the transactions are listed; its days are passed over.
  public var filter: TransactionFilter { didSet { if filter != oldValue { ask() } } }

  /// The transactions, newest day first, each day with its sums; no row has a balance.
  public private(set) var sections: [TransactionSection] = []
  /// How many transactions there are.
  public private(set) var count = 0
  /// Whether the window is being read for other days or another filter.
  public private(set) var isLoading = false
  /// Why the last read failed; `nil` after one that did not.
  public private(set) var error: DaybookError?

  /// Called on the main actor each time the sections have changed, with what turns the old ones into the
  /// new ones.
  @ObservationIgnored public var onChange: ((TransactionListDifference) -> Void)?

  @ObservationIgnored private let rows = FetchLoop<WindowPart>()
  @ObservationIgnored private var part: WindowPart?
  /// Which fetch ``isLoading`` waits for.
  @ObservationIgnored private var loadingWish = 0

  /// A window, which reads nothing until it is asked to: by ``run()``, ``refresh()`` or a change of its
  /// properties.
  public init(
    _ ledger: Ledger, today: Day, monthCount: Int = 3, filter: TransactionFilter = .all
  ) {
    self.ledger = ledger
    self.today = today
    self.monthCount = TransactionWindow.clamped(monthCount)
    self.filter = filter
    rows.prepare = { [weak self] in self?.nextFetch() }
    rows.publish = { [weak self] in self?.show($0) }
  }

  /// The days from the first that is shown up to, but without, the first that is not.
  public var days: Range<Day> {
    today.adding(months: -monthCount).adding(days: 1)..<today.adding(days: 1)
  }

  /// What the transactions come to, by currency in order of codes; see ``DaySection``.
  ///
  /// - Complexity: O(days).
  public var sums: [Total] {
    var sums: [Currency: Int128] = [:]
    for total in sections.lazy.flatMap(\.sums) { sums[total.currency, default: 0] += total.units }
    return sums.filter { $0.value != 0 }.sortedTotals()
  }

  /// Loads the window and keeps it current, with what this process and others commit, until the task is
  /// cancelled or the ledger closed.
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

  /// Takes each day for today as it comes, until there are no more or the task is cancelled.
  ///
  /// - Parameter days: A sequence of the app's, which gives the present day, and then each new one when it
  ///   begins.
  public func follow<Days: AsyncSequence>(_ days: Days) async where Days.Element == Day {
    do {
      for try await day in days { today = day }
    } catch {
      self.error = .wrapping(error)
    }
  }

  /// Sees to it that what is shown is as of the newest commit, and returns when it is; tries again after an
  /// error.
  public func refresh() async {
    isLoading = true
    loadingWish = rows.want()
    await settled()
  }

  /// Waits until nothing is being read.
  package func settled() async { await rows.settled() }

  /// As of which commit the rows are, once nothing is being read any more: for tests.
  package var restingToken: Token? { rows.isBusy ? nil : part?.token }

  private static func clamped(_ count: Int) -> Int {
    min(max(count, 1), LedgerLimits.windowMonthCountMax)
  }

  private func ask() {
    isLoading = true
    loadingWish = rows.want(isNewQuestion: true)
  }

  private func nextFetch() -> (@Sendable () throws -> WindowPart)? {
    let request = WindowRequest(filter: filter, days: days, known: error == nil ? part : nil)
    return { [ledger] in try ledger.read { try request.answer($0) } }
  }

  private func show(_ result: Result<WindowPart, any Error>) {
    if isLoading, rows.hasServed(loadingWish) { isLoading = false }
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
