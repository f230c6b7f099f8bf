public import Observation

/// A list of transactions for a user interface: sections by day under filters, loaded page by page as
/// the reader scrolls, and kept current.
///
/// ```swift
/// struct Transactions: View {
///   @State var pager: TransactionPager
///
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
/// Only the rows in view and a page either side are held, however long the list is. All that is shown
/// together is of one commit. Reads run off the main actor, one at a time, and none is held while
/// nothing happens; one that has been superseded is cancelled and never shown.
///
/// **Place.** When data changes, the reader stays where he is: at the first row in view, or where it
/// was, should it be gone. What comes in above is inserted above. Rows keep their identity, that of
/// their transactions.
///
/// **Errors.** Where a read fails, ``error`` says why, and what was shown stays, unless it answered
/// another question, or one that cannot be asked any more, such as for an account that is gone. The
/// next commit, ``refresh()`` or whatever else asks for rows tries again.
@Observable @MainActor public final class TransactionPager {
  /// The ledger whose rows are listed; it has to stay open.
  public let ledger: Ledger
  /// How many rows are loaded at a time, and held either side of those in view.
  public let pageSize: Int

  /// Which transactions are listed.
  ///
  /// All its parts are properties of the pager, too. However many are changed in one turn of the main
  /// actor, the list is fetched once; it then begins at the top.
  public var filter: TransactionFilter = .all {
    didSet { if filter != oldValue { ask(TransactionPlace()) } }
  }

  /// The sections of the rows that are held, newest day first.
  public private(set) var sections: [TransactionSection] = []
  /// How many transactions the whole list has; `nil` while they are being counted.
  ///
  /// Under one condition, besides days, it comes with the first rows. Under several or a text it takes
  /// a look at every row of the shortest list: the first rows do not wait for it.
  public private(set) var count: Int?
  /// Whether the list is being fetched anew: at first, under another filter, after a jump, or to
  /// refresh it.
  public private(set) var isLoading = false
  /// Whether older rows are being fetched.
  public private(set) var isLoadingMore = false
  /// Whether newer rows are being fetched, for a reader who scrolls up.
  public private(set) var isLoadingNewer = false
  /// Whether there are older rows than those held.
  public private(set) var hasMore = false
  /// Whether there are newer rows than those held.
  public private(set) var hasNewer = false
  /// Why the last read failed; `nil` after one that did not.
  public private(set) var error: DaybookError?

  /// Called on the main actor each time the sections have changed, with what turns the old ones into
  /// the new ones: for lists that are told what to insert and remove.
  @ObservationIgnored public var onChange: ((TransactionListDifference) -> Void)?

  @ObservationIgnored let rows = FetchLoop<ListPart>()
  @ObservationIgnored let counting = FetchLoop<ListCount>()
  @ObservationIgnored var part: ListPart?
  @ObservationIgnored var place = TransactionPlace()
  /// Which fetches the three flags wait for.
  @ObservationIgnored private var wishes = (loading: 0, more: 0, newer: 0)

  /// A pager, which reads nothing until it is asked to: by ``run()``, ``refresh()``, ``jump(to:)`` or
  /// another filter.
  ///
  /// - Parameters:
  ///   - ledger: The ledger.
  ///   - filter: Which transactions are listed.
  ///   - pageSize: How many rows are loaded at a time, more than a screen shows; clamped to 1 to
  ///     ``LedgerLimits/pagerRowCountMax``.
  public init(_ ledger: Ledger, filter: TransactionFilter = .all, pageSize: Int = 50) {
    self.ledger = ledger
    self.filter = filter
    self.pageSize = min(max(pageSize, 1), LedgerLimits.pagerRowCountMax)
    rows.prepare = { [weak self] in self?.nextFetch() }
    rows.publish = { [weak self] in self?.show($0) }
    counting.prepare = { [weak self] in self?.nextCount() }
    counting.publish = { [weak self] in self?.show($0) }
  }

  // MARK: Following

  /// Loads the list and keeps it current, with what this process and others commit, until the task is
  /// cancelled or the ledger closed.
  ///
  /// Where nothing happens it holds no transaction and takes no time.
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

  /// Sees to it that what is shown is as of the newest commit, and returns when it is; tries again after an
  /// error.
  public func refresh() async {
    isLoading = true
    wishes.loading = rows.want()
    await rows.settled()
  }

  /// Shows the rows of a day, with those around them; where it has none, the older ones next to it.
  ///
  /// - Returns: The row to scroll to: the newest of that day, or the next older one, or else the oldest
  ///   of all; `nil` for an empty list.
  @discardableResult
  public func jump(to day: Day) async -> TransactionRow.ID? {
    ask(TransactionPlace(jumpingTo: day))
    await rows.settled()
    guard let first = place.first else { return nil }
    return part?.rows.first { $0.key == first }?.id
  }

  /// Waits until all that is asked for now is shown, the count too.
  package func settled() async {
    await rows.settled()
    await counting.settled()
    // Where rows and count were not of the same commit, they are brought together.
    await rows.settled()
  }

  /// How many fetches of rows have begun: for tests.
  package var fetchCount: Int { rows.fetchCount }
  /// How often all rows were counted one by one: for tests.
  package var countingCount: Int { counting.fetchCount }
  /// As of which commit the rows are, once nothing is being read any more: for tests.
  package var restingToken: Token? { rows.isBusy || counting.isBusy ? nil : part?.token }
  /// Waits in front of each fetch: for tests.
  package func hold(_ gate: (@Sendable () async -> Void)?) { rows.gate = gate }

  // MARK: Asking

  /// Asks a new question: what is being fetched is not wanted any more.
  private func ask(_ place: TransactionPlace) {
    self.place = place
    if part?.filter != filter { counting.cancel() }
    isLoading = true
    wishes.loading = rows.want(isNewQuestion: true)
  }

  /// Fetches a page where the view is near an end of what is held.
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
    // What was asked for meanwhile is still to come.
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

  /// Shows the count if it is of the same commit as the rows; otherwise sees to it.
  private func showCount() {
    guard let part else { return set(\.count, nil) }
    guard let counted = part.count else {
      set(\.count, nil)
      if !counting.isBusy { counting.want() }
      return
    }
    if counted.token == part.token { set(\.count, counted.value) } else { rows.want() }
  }

  /// Sets what is observed only where it is another.
  private func set<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<TransactionPager, Value>, _ value: Value
  ) {
    if self[keyPath: property] != value { self[keyPath: property] = value }
  }
}
