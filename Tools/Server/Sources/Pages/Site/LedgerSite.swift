public import Daybook
public import Moments

/// The page of a ledger: the books in a browser, every figure with what it is made of.
///
/// It is HTML that reads without scripts. It decides nothing: figures are what the ledger answers, and forms
/// become commands.
public struct LedgerSite: PageSite {
  let ledger: Ledger
  let today: @Sendable () -> Day
  let uploads = UploadedFiles()
  let proof = Proof()
  private let past: PastReader
  /// How long a form may take before whoever sent it is told that it waits.
  let patience: Duration
  private let isForReading: Bool

  /// The page of a ledger.
  ///
  /// - Parameters:
  ///   - ledger: The ledger.
  ///   - past: What answers questions about the past, where something else asks too; else a new one.
  ///   - patience: How long a form may take before its sender reads that it waits, and goes on waiting.
  ///   - isForReading: Whether nothing is recorded, whatever the ledger's files allow.
  ///   - today: Which day it is.
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

  /// The answer to a request.
  public func answer(_ request: PageRequest) async -> PageAnswer {
    if request.path.hasPrefix("/assets/") { return Assets.answer(request) }
    var context = PageContext(request, today: today(), canWrite: false, past: nil)
    do {
      let past = try request.asOf.flatMap { $0.isEmpty ? nil : $0 }.map { text in
        guard let moment = Moment(text) else { throw PageError.notFound }
        return try moment.token(in: ledger)
      }
      context = PageContext(
        request, today: today(), canWrite: readOnlyReason == nil, past: past)
      context.own = OwnCommits(request.headers["cookie"], of: try ledger.token.store)
      if request.method == "POST" { return try await patiently(context) }
      return try laidOut(await page(context), context)
    } catch {
      return failure(error, context)
    }
  }

  /// Why nothing can be recorded; `nil` where it can.
  var readOnlyReason: DaybookError? {
    if let reason = ledger.readOnlyReason { return reason }
    guard isForReading else { return nil }
    return DaybookError(
      code: .readOnly, message: "The ledger is served for reading only.",
      remedy: "Start daybook-serve without --read-only to record.")
  }

  /// The page around its contents, with its headers.
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

  /// A redirect after a form was sent, so that reloading sends nothing again.
  func redirect(_ address: Address) -> PageAnswer {
    PageAnswer(status: 303, headers: [("Location", address.text)])
  }

  private func failure(_ error: any Error, _ context: PageContext) -> PageAnswer {
    let isMissing = error as? PageError == .notFound
    let told = error as? DaybookError
    let status =
      isMissing
      ? 404 : error is PastIsBusy ? 429 : told?.code == .readOnly ? 403 : told == nil ? 500 : 400
    let body: HTML = """
      <p class="problem">\(told?.message ?? context[isMissing ? .notFound : .wrong])</p>
      <p>\(told?.remedy ?? "")</p><p><a href="/">\(context[.overview])</a></p>
      """
    let title = context[isMissing ? .notFound : .wrong]
    let page = Page(title, nil, status: status, body: body)
    return (try? laidOut(page, context))
      ?? PageAnswer(
        status: 500, headers: [("Content-Type", "text/plain; charset=utf-8")],
        body: Array("\(title) \(told?.description ?? "")\n".utf8))
  }

  // MARK: Reading

  /// Reads the ledger as of the moment that the page is of.
  func read(
    _ context: PageContext,
    _ body: @escaping @Sendable (PageContext, borrowing Snapshot) throws -> Page
  ) async throws -> Page {
    try await value(asOf: context.past) { try body(context, $0) }
  }

  /// What the ledger answers as of a moment; now where there is none.
  func value<Value: Sendable>(
    asOf token: Token?, _ body: @escaping @Sendable (borrowing Snapshot) throws -> Value
  ) async throws -> Value {
    guard let token else { return try ledger.read(body) }
    return try await past.read(asOf: token, body)
  }
}

/// What a page cannot be shown for.
enum PageError: Error, Equatable {
  /// There is nothing at this address.
  case notFound
}
