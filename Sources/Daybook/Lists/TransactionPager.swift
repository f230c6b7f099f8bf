public import Observation

/// A live, filtered list of transactions, with a section for each day, that loads pages as the user
/// scrolls.
///
/// ```swift
/// struct Transactions: View {
///   @State var pager: TransactionPager
///   var body: some View {
///     List {
///       ForEach(pager.sections) { section in
///         Section(section.day.description) {
///           ForEach(section.rows) { row in
///             Text(row.transaction.description).onAppear { pager.reached(row) }
///           }
///         }
///       }
///     }
///     .searchable(text: $pager.text)
///     .refreshable { await pager.refresh() }
///     .task { await pager.run() }
///   }
/// }
/// ```
///
/// The pager holds only the rows in view and a page on either side, however long the list is. All
/// shown data is always from the same commit. Reads run off the main actor, one at a time; an idle
/// pager has no open read. A superseded read is cancelled, and its result is never shown.
///
/// **Place.** When data changes, the list stays at the first row in view, or at its former place if
/// the row was removed. New rows are inserted above it without moving it. Rows are identified by
/// their transactions.
///
/// **Errors.** If a read fails, ``error`` is set. The rows remain, unless they belong to a previous
/// query or the query has become invalid, for example because its account was deleted. The next
/// commit, ``refresh()`` or any other request for rows tries again.
@Observable @MainActor public final class TransactionPager {
  /// The ledger whose transactions are listed; it must stay open.
  public let ledger: Ledger
  /// The number of rows loaded at a time, and kept on either side of the visible rows.
  public let pageSize: Int

  /// The filter of the list.
  ///
  /// Each condition is also a property of the pager. Several changes in one turn of the main actor
  /// cause a single fetch, after which the list starts at the top.
  public var filter: TransactionFilter = .all {
    didSet { if filter != oldValue { ask(TransactionPlace()) } }
  }

  /// The sections of the loaded rows, newest day first.
  public private(set) var sections: [TransactionSection] = []
  /// The number of transactions in the whole list, or `nil` while they are being counted.
  ///
  /// With one condition other than days, the count arrives together with the first rows. With
  /// several conditions or a text, counting reads every row that meets the most selective
  /// condition, and the first rows are shown before it completes.
  public private(set) var count: Int?
  /// Whether the list is being loaded: initially, after a change of filter, after a jump, or on
  /// refresh.
  public private(set) var isLoading = false
  /// Whether older rows are being loaded because the user is scrolling down.
  public private(set) var isLoadingMore = false
  /// Whether newer rows are being loaded because the user is scrolling up.
  public private(set) var isLoadingNewer = false
  /// Whether the list has older rows than the loaded ones.
  public private(set) var hasMore = false
  /// Whether the list has newer rows than the loaded ones.
  public private(set) var hasNewer = false
  /// The error of the last read, or `nil` if it succeeded.
  public private(set) var error: DaybookError?

  /// A closure called on the main actor after each change of the sections, with the differences
  /// from the old sections.
  ///
  /// Use it for table views that need explicit insertions and removals.
  @ObservationIgnored public var onChange: ((TransactionListDifference) -> Void)?

  @ObservationIgnored let rows = FetchLoop<ListPart>()
  @ObservationIgnored let counting = FetchLoop<ListCount>()
  @ObservationIgnored var part: ListPart?
  @ObservationIgnored var place = TransactionPlace()
  /// The requests that the three loading flags wait for.
  @ObservationIgnored private var wishes = (loading: 0, more: 0, newer: 0)

  /// Creates a pager without reading anything.
  ///
  /// The first read is started by ``run()``, ``refresh()``, ``jump(to:)`` or a change of the
  /// filter.
  ///
  /// - Parameters:
  ///   - ledger: The ledger.
  ///   - filter: The filter of the list.
  ///   - pageSize: The number of rows loaded at a time, which should be more than a screen shows.
  ///     It is clamped to 1 through ``LedgerLimits/pagerRowCountMax``.
  public init(_ ledger: Ledger, filter: TransactionFilter = .all, pageSize: Int = 50) {
    self.ledger = ledger
    self.filter = filter
    self.pageSize = min(max(pageSize, 1), LedgerLimits.pagerRowCountMax)
    rows.resumed = { [store = ledger.store] in await store.waitWhileSuspended() }
    rows.prepare = { [weak self] in self?.nextFetch() }
    rows.publish = { [weak self] in self?.show($0) }
    counting.resumed = rows.resumed
    counting.prepare = { [weak self] in self?.nextCount() }
    counting.publish = { [weak self] in self?.show($0) }
  }

  // MARK: Following

  /// Loads the list and keeps it current until the task is cancelled or the ledger is closed.
  ///
  /// The pager follows the commits of all processes. While there are no new commits, it holds no
  /// read transaction and uses no CPU time.
  public func run() async {
    if part == nil, !rows.isBusy { ask(place) }
    await ledger.follow { [weak self] event in
      guard let self else { return }
      switch event {
      case .commit(let token) where token == part?.token && error == nil: break
      case .commit, .closed: rows.want()
      case .failure(let failure): error = failure
      }
    }
    await rows.settled()
  }

  /// Updates the list to the newest commit, and returns when it is shown; retries after an error.
  public func refresh() async {
    isLoading = true
    wishes.loading = rows.want()
    await rows.settled()
  }

  /// Jumps to the rows of a day; if the day has no rows, to the next older rows.
  ///
  /// - Returns: The row to scroll to: the newest row of that day, or else the next older row, or
  ///   else the oldest row; `nil` if the list is empty.
  @discardableResult
  public func jump(to day: Day) async -> TransactionRow.ID? {
    ask(TransactionPlace(jumpingTo: day))
    await rows.settled()
    guard let first = place.first else { return nil }
    return part?.rows.first { $0.key == first }?.id
  }

  /// Waits until all current requests, including counts, have been completed.
  package func settled() async {
    await rows.settled()
    await counting.settled()
    // If the rows and the count are from different commits, another fetch is needed.
    await rows.settled()
  }

  /// The number of fetches of rows that have begun, for tests.
  package var fetchCount: Int { rows.fetchCount }
  /// The number of times that all rows have been counted one by one, for tests.
  package var countingCount: Int { counting.fetchCount }
  /// The commit of the loaded rows, or `nil` while rows are being read or counted; for tests.
  package var settledToken: Token? { rows.isBusy || counting.isBusy ? nil : part?.token }
  /// Sets a closure to await before each fetch, for tests.
  package func hold(_ gate: (@Sendable () async -> Void)?) { rows.gate = gate }

  // MARK: Asking

  /// Starts a new query, which cancels the current fetch.
  private func ask(_ place: TransactionPlace) {
    self.place = place
    if part?.filter != filter { counting.cancel() }
    isLoading = true
    wishes.loading = rows.want(isNewQuestion: true)
  }

  /// Fetches a page if the view is near an end of the loaded rows.
  func loadAhead() {
    guard let part, part.filter == filter, let view = place.view(of: part.rows) else { return }
    let reserve = (pageSize + 1) / 2
    if part.hasOlder, part.rows.count - view.upperBound < reserve {
      if !isLoadingMore { wishes.more = rows.want() }
      isLoadingMore = true
    }
    if part.hasNewer, view.lowerBound < reserve {
      if !isLoadingNewer { wishes.newer = rows.want() }
      isLoadingNewer = true
    }
  }

  private func nextFetch() -> (@Sendable () throws -> ListPart)? {
    let known = part.flatMap { $0.filter == filter ? $0 : nil }
    let viewCount = min(known.flatMap { place.view(of: $0.rows)?.count } ?? 0, pageSize)
    let request = ListRequest(
      filter: filter, below: place.below, newerCount: pageSize, olderCount: viewCount + pageSize,
      known: error == nil ? known : nil)
    return { [ledger] in try ledger.read { try request.answer($0) } }
  }

  private func nextCount() -> (@Sendable () throws -> ListCount)? {
    let filter = filter
    return { [ledger] in try ledger.read { try $0.counted(filter) } }
  }

  // MARK: Showing

  private func show(_ result: Result<ListPart, any Error>) {
    switch result {
    case .success(let fresh):
      if error != nil { error = nil }
      show(fresh)
    case .failure(let failure):
      let wrapped = DaybookError.wrapping(failure)
      error = wrapped
      if part?.filter != filter || wrapped.code == .invalidQuery { show(nil) }
    }
    // If further requests have been made in the meantime, their flags stay set.
    if rows.hasServed(wishes.loading) { set(\.isLoading, false) }
    if rows.hasServed(wishes.more) { set(\.isLoadingMore, false) }
    if rows.hasServed(wishes.newer) { set(\.isLoadingNewer, false) }
    if error == nil { loadAhead() }
  }

  private func show(_ fresh: ListPart?) {
    part = fresh
    if let fresh { place.settle(in: fresh.rows, pageSize: pageSize) }
    let now = fresh.map { TransactionSection.sections($0.rows, $0.summaries) } ?? []
    set(\.hasMore, fresh?.hasOlder ?? false)
    set(\.hasNewer, fresh?.hasNewer ?? false)
    showCount()
    if now == sections { return }
    let difference = onChange == nil ? nil : TransactionListDifference(from: sections, to: now)
    sections = now
    if let difference { onChange?(difference) }
  }

  private func show(_ result: Result<ListCount, any Error>) {
    guard let part, part.filter == filter else { return }
    switch result {
    case .success(let counted):
      self.part?.count = counted
      showCount()
    case .failure(let failure):
      error = .wrapping(failure)
    }
  }

  /// Shows the count if it is from the same commit as the rows; otherwise requests a new count.
  private func showCount() {
    guard let part else { return set(\.count, nil) }
    guard let counted = part.count else {
      set(\.count, nil)
      if !counting.isBusy { counting.want() }
      return
    }
    if counted.token == part.token { set(\.count, counted.value) } else { rows.want() }
  }

  /// Sets an observed property only if its value changes.
  private func set<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<TransactionPager, Value>, _ value: Value
  ) {
    if self[keyPath: property] != value { self[keyPath: property] = value }
  }
}
