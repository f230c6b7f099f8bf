public import Daybook
public import Moments

/// The website of a ledger, in which every figure links to its details.
///
/// The pages are HTML and work without scripts. The site has no accounting logic: it shows the
/// ledger's figures and turns forms into commands.
public struct LedgerSite: PageSite {
  let ledger: Ledger
  let today: @Sendable () -> Day
  let uploads = UploadedFiles()
  let proof = Proof()
  private let past: PastReader
  /// The time that a form may take before the user sees a waiting page.
  let patience: Duration
  private let isForReading: Bool

  /// Creates the site of a ledger.
  ///
  /// - Parameters:
  ///   - ledger: The ledger.
  ///   - past: A reader for past states, shared with the API; `nil` creates one.
  ///   - patience: The time that a form may take before the user sees a waiting page; recording
  ///     continues.
  ///   - isForReading: Whether to refuse all changes, even if the ledger's files are writable.
  ///   - today: Returns the current day.
  public init(
    _ ledger: Ledger, past: PastReader? = nil, patience: Duration = .seconds(10),
    isForReading: Bool = false, today: @escaping @Sendable () -> Day
  ) {
    self.ledger = ledger
    self.patience = patience
    self.isForReading = isForReading
    self.past = past ?? PastReader(ledger)
    self.today = today
  }

  /// Returns the answer to a request.
  public func answer(_ request: PageRequest) async -> PageAnswer {
    if request.path.hasPrefix("/assets/") { return Assets.answer(request) }
    var context = PageContext(request, today: today(), canWrite: false, past: nil)
    do {
      let moment = try request.asOf.flatMap { try Moment.asked($0) }
      context = PageContext(
        request, today: try day(of: moment, context), canWrite: readOnlyReason == nil,
        past: try moment?.token(in: ledger))
      context.own = OwnCommits(request.headers["cookie"], of: try ledger.token.store)
      if request.method == "POST" { return try await patiently(context) }
      if request.path == PayeeSuggestions.path { return try payees(context) }
      if let file = try await attachment(context) { return file }
      var answer = try laidOut(await page(context), context)
      if request.path == "/", context.past == nil {
        answer.headers.append(try lastLook(context).header(of: ledger.token.store))
      }
      return answer
    } catch {
      return failure(error, context)
    }
  }

  /// Returns the day that counts as today.
  ///
  /// A page as of a past moment uses that moment's day, so that the address always shows the same
  /// figures.
  func day(of moment: Moment?, _ context: PageContext) throws -> Day {
    let on = try ShownDay.asked(context)
    guard let moment else { return on ?? context.today }
    let asked = on ?? context.query("today").flatMap { Day($0) }
    // No ledger goes back further than 1900, and pages show the two years before their day.
    return try max(.longAgo, asked ?? min(context.today, moment.day(in: ledger)))
  }

  /// The reason why nothing can be recorded; `nil` if the ledger can be changed.
  var readOnlyReason: DaybookError? {
    if let reason = ledger.readOnlyReason { return reason }
    guard isForReading else { return nil }
    return DaybookError(
      code: .readOnly, message: "The server was started with --read-only.",
      remedy: "Restart it without --read-only to record changes.")
  }

  /// Returns the page with its layout and headers.
  func laidOut(_ page: Page, _ context: PageContext) throws -> PageAnswer {
    let html = try Layout(
      context: context, newest: ledger.token, notice: notice(context),
      proof: proof.mark(context, ledger.token)
    ).html(
      page)
    return PageAnswer(
      status: page.status,
      headers: [
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
        ("Vary", "Accept-Language"),
      ], body: Array(html.utf8))
  }

  /// Returns a redirect after a form, so that reloading the page doesn't submit it again.
  func redirect(_ address: Address) -> PageAnswer {
    PageAnswer(status: 303, headers: [("Location", address.text)])
  }

  private func failure(_ error: any Error, _ context: PageContext) -> PageAnswer {
    if error as? PageError == .noMoment {
      // Remove the invalid moment, so that the page's links don't contain it.
      var request = context.request
      request.asOf = nil
      request.query = []
      let now = PageContext(request, today: context.today, canWrite: false, past: nil)
      let page = Page(
        now[.wrong], nil, status: 400,
        body: """
          <p class="problem" role="alert">\(now[.noMoment])</p>
          <p><a class="button" href="\(request.path)">\(now[.backToNow])</a></p>
          """)
      if let answer = try? laidOut(page, now) { return answer }
    }
    let isMissing = error as? PageError == .notFound
    let refusal = error as? DaybookError
    let words = refusal.map { context.said($0) }
    let status =
      isMissing
      ? 404
      : error is PastBusyError ? 429 : refusal?.code == .readOnly ? 403 : refusal == nil ? 500 : 400
    let reason: Word = isMissing ? .notFound : error is PastBusyError ? .busy : .wrong
    let body: HTML = """
      <p class="problem">\(words?.message ?? context[reason])</p>
      <p>\(words?.remedy ?? "")</p><p><a href="/">\(context[.overview])</a></p>
      """
    let title = context[isMissing ? .notFound : .wrong]
    let page = Page(title, nil, status: status, body: body)
    return (try? laidOut(page, context))
      ?? PageAnswer(
        status: 500, headers: [("Content-Type", "text/plain; charset=utf-8")],
        body: Array("\(title) \(refusal?.description ?? "")\n".utf8))
  }

  // MARK: Reading

  /// Returns a page made from a snapshot as of the page's moment.
  func read(
    _ context: PageContext,
    _ body: @escaping @Sendable (PageContext, borrowing Snapshot) throws -> Page
  ) async throws -> Page {
    try await value(asOf: context.past) { snapshot in
      var context = context
      context.countsEverything = try snapshot.countsEverything()
      return try body(context, snapshot)
    }
  }

  /// Reads the ledger as of a token, or its current state if the token is `nil`.
  func value<Value: Sendable>(
    asOf token: Token?, _ body: @escaping @Sendable (borrowing Snapshot) throws -> Value
  ) async throws -> Value {
    guard let token else { return try ledger.read(body) }
    return try await past.read(asOf: token, body)
  }
}

/// The reason why a page can't be shown.
enum PageError: Error, Equatable {
  /// There is no page at this address.
  case notFound
  /// The moment in the address is malformed.
  case noMoment
}

extension Day {
  /// January 1, 1900.
  static var longAgo: Day { Day(year: 1900, month: 1, day: 1) ?? .min }
}

extension Moment {
  /// Parses the moment in an address; returns `nil` for an empty text.
  ///
  /// - Throws: ``PageError/noMoment`` if the moment is malformed.
  static func asked(_ text: String) throws -> Moment? {
    guard !text.isEmpty else { return nil }
    guard let moment = Moment(text) else { throw PageError.noMoment }
    return moment
  }
}
