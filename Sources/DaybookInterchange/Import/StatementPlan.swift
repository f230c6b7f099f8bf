import Daybook

/// The statements of a file, prepared for a ledger: their accounts, the skipped rows and the
/// balances.
///
/// The rows are passed on one by one, so that each is in memory only once.
struct StatementPlan {
  private(set) var badLines: [BadLine]
  private(set) var badLineCount: Int
  private(set) var pendingLeftOut = 0
  /// The skipped pending rows, which the bank therefore still lists.
  private(set) var pendingRows: [ImportRow] = []
  private(set) var leftOut = 0
  private var mirrored = 0
  private let notices: [FileNotice]
  private var balances: [BalanceReport] = []
  private var impliedOpenings: [String: Money] = [:]
  /// The commands that record the stated balances, unless the ledger already has them.
  private(set) var assertions: [Command] = []
  var resolver: NameResolver
  /// The stated balances of the ledger, and those of the file with the indices of their commands.
  private var asserted: [Asserted: Int?] = [:]

  private struct Asserted: Hashable {
    var account: AccountID
    var day: Day
  }

  /// Prepares the statements of a file.
  ///
  /// - Parameters:
  ///   - contents: The contents of the file, from which the rows are removed.
  ///   - take: Called with each row to record, in file order. The row's account is set to the
  ///     ledger's account.
  /// - Throws: `InterchangeError` with code `account` if an account can't be matched.
  init(
    _ contents: inout FileContents, _ importer: StatementImporter, path: String?,
    in snapshot: borrowing Snapshot,
    _ take: (StatementRow, inout NameResolver) throws(BadLine) -> Void
  ) throws {
    if !importer.skipRows.isEmpty {
      for index in contents.statements.indices {
        let count = contents.statements[index].rows.count
        contents.statements[index].rows.removeAll { row in
          importer.skipRows.contains { row.matches($0) }
        }
        leftOut += count - contents.statements[index].rows.count
      }
    }
    badLines = contents.badLines
    badLineCount = contents.badLineCount
    notices = contents.notices
    resolver = try NameResolver(snapshot)
    let accounts = try snapshot.accounts()
    let matcher = AccountMatcher(accounts, importer.accounts)
    if importer.accounts.all != nil {
      try Self.checkOne(contents.statements, path)
    }
    let matches = contents.statements.map {
      matcher.match($0.account, currency: $0.currency)
    }
    try Self.check(contents.statements, matches, path)
    if !importer.converts {
      try Self.checkCurrencies(contents.statements, matches, accounts, path)
    }
    try Self.checkNumbers(contents.statements, matches, matcher, path)
    for assertion in try snapshot.assertions() {
      asserted[Asserted(account: assertion.account, day: assertion.day)] = .some(nil)
    }
    var names: [String] = []
    for (statement, match) in zip(contents.statements, matches) {
      guard let match else { continue }
      names.append(try resolver.open(statement, match))
    }
    var mirrors = TransferMirrors()
    for (statement, name) in zip(contents.statements, names) {
      mirrors.expect(statement.rows, of: name)
    }
    var statementCounts: [String: Int] = [:]
    for index in contents.statements.indices {
      let number = statementCounts[names[index], default: 0]
      statementCounts[names[index]] = number + 1
      let isNew = if case .new = matches[index] { true } else { false }
      note(contents.statements[index], names[index], isNew: isNew, path)
      var rows: [StatementRow] = []
      swap(&rows, &contents.statements[index].rows)
      // Removing elements from the end of the reversed array releases each row before the next is
      // converted.
      rows.reverse()
      while var row = rows.popLast() {
        row.statement = number
        hand(row, of: names[index], importer, &mirrors, take)
      }
    }
  }

  private mutating func hand(
    _ row: consuming StatementRow, of name: String, _ importer: StatementImporter,
    _ mirrors: inout TransferMirrors,
    _ take: (StatementRow, inout NameResolver) throws(BadLine) -> Void
  ) {
    if row.isPending, !importer.takesPending {
      pendingLeftOut += 1
      let account = resolver.account(name, currency: row.amount.currency)
      if let pending = row.pendingRow(of: account) { pendingRows.append(pending) }
      return
    }
    if mirrors.hasOther(row, of: name) {
      mirrored += 1
      return
    }
    row.account = name
    if row.fee != nil, row.feeCategory.names.isEmpty { row.feeCategory = ["Fees"] }
    row.fitTexts()
    do {
      try take(row, &resolver)
    } catch {
      badLines.append(error)
      badLineCount += 1
    }
  }

  private mutating func note(
    _ statement: Statement, _ name: String, isNew: Bool, _ path: String?
  ) {
    guard statement.opening != nil || statement.closing != nil else { return }
    var report = BalanceReport(
      account: name, opening: statement.opening, closing: statement.closing)
    report.difference = statement.difference
    balances.append(report)
    if isNew, !statement.begins, impliedOpenings[name] == nil,
      let opening = statement.impliedOpening
    {
      impliedOpenings[name] = opening
    }
    let note = path.map { "stated by \($0.split(separator: "/").last ?? "")" } ?? ""
    let ends = [
      // If the account's history begins with this opening balance, the account didn't have this
      // balance on the previous day.
      statement.begins
        ? nil : statement.opening.map { (day: $0.day.adding(days: -1), amount: $0.amount) },
      statement.closing.map { (day: $0.day, amount: $0.amount) },
    ]
    for end in ends.compactMap(\.self) {
      let account = resolver.account(name, currency: end.amount.currency)
      let command = Command.assertBalance(account, end.amount, on: end.day, note: note)
      switch asserted[Asserted(account: account, day: end.day)] {
      case .some(nil): continue
      // The last balance of a day is the one at its end.
      case .some(let index?): assertions[index] = command
      case nil:
        asserted[Asserted(account: account, day: end.day)] = assertions.count
        assertions.append(command)
      }
    }
  }

  /// Adds the skipped rows, notices and balances to a summary.
  func tell(_ summary: inout ImportSummary) {
    summary.leftOut = leftOut
    summary.pendingLeftOut = pendingLeftOut
    summary.mirrored = mirrored
    summary.notices = notices
    summary.balances = balances
    summary.impliedOpenings = impliedOpenings.filter { $0.value.minorUnits != 0 }
  }

  // MARK: Accounts

  private static func checkOne(
    _ statements: [Statement], _ path: String?
  ) throws(InterchangeError) {
    var seen: [StatementAccount] = []
    for statement in statements where !seen.contains(statement.account) {
      seen.append(statement.account)
    }
    guard seen.count > 1 else { return }
    var error = InterchangeError(
      .account,
      "The file has statements of \(seen.count) accounts, but one account was named for all of "
        + "them: "
        + Self.names(of: seen) + ".",
      remedy: "Name the ledger's account for each of them.", path: path)
    error.unknownAccounts = seen
    throw error
  }

  /// Lists accounts, with the currencies of those that share a number.
  private static func names(
    of accounts: [StatementAccount], among all: [StatementAccount]? = nil
  ) -> String {
    let shown = accounts.prefix(20).map { account in
      let isShared = (all ?? accounts).filter { $0.words == account.words }.count > 1
      guard isShared, let currency = account.currency else { return account.words }
      return "\(account.words) in \(currency.code)"
    }
    return shown.joined(separator: ", ")
  }

  private static func check(
    _ statements: [Statement], _ matches: [AccountMatcher.Match?], _ path: String?
  ) throws(InterchangeError) {
    var unknown: [StatementAccount] = []
    for (statement, match) in zip(statements, matches)
    where match == nil && !unknown.contains(statement.account) {
      unknown.append(statement.account)
    }
    guard let first = unknown.first else { return }
    var matched: [StatementAccount] = []
    for account in statements.lazy.map(\.account)
    where !unknown.contains(account) && !matched.contains(account) {
      matched.append(account)
    }
    let line = statements.first { $0.account == first }?.line
    let names = names(of: unknown, among: unknown + matched)
    var error = InterchangeError(
      .account,
      unknown.count == 1
        ? "Couldn't import: the ledger's account for \(names) is unknown."
        : "Couldn't import: the ledger's accounts for these are unknown: \(names).",
      remedy: unknown.allSatisfy { $0.matchingNumbers.isEmpty }
        ? "Name the account." : "Name the account once; the ledger remembers the number.",
      path: path, line: line)
    error.unknownAccounts = unknown
    error.matchedAccounts = matched
    throw error
  }
}

extension StatementPlan {
  /// Refuses statements in a different currency from their account.
  ///
  /// A new account is in the currency of its first statement.
  private static func checkCurrencies(
    _ statements: [Statement], _ matches: [AccountMatcher.Match?], _ accounts: [Account],
    _ path: String?
  ) throws(InterchangeError) {
    var new: [String: Currency] = [:]
    for (statement, match) in zip(statements, matches) {
      guard let match, let currency = statement.currency else { continue }
      let (name, expected, kind) =
        switch match {
        case .account(let account): (account.name, account.currency, "account")
        case .new(let name): (name, new[Folding.key(name)] ?? currency, "new account")
        }
      if case .new = match { new[Folding.key(name)] = expected }
      if currency == expected { continue }
      var error = InterchangeError(
        .account,
        "Couldn't import: the statement of \(statement.account.words) is in \(currency.code), but "
          + "the \(kind) “\(name)” is in \(expected.code).",
        remedy: "Import it into an account in \(currency.code), or allow the import to convert its "
          + "amounts.",
        path: path, line: statement.line)
      error.unknownAccounts = [statement.account]
      error.otherCurrency = currency
      error.fittingAccounts = accounts.filter { !$0.isDeleted && $0.currency == currency }
        .map(\.name)
      throw error
    }
  }

  /// Refuses statements for one account whose number another account in the same currency has.
  private static func checkNumbers(
    _ statements: [Statement], _ matches: [AccountMatcher.Match?], _ matcher: AccountMatcher,
    _ path: String?
  ) throws(InterchangeError) {
    for (statement, match) in zip(statements, matches) {
      guard let match else { continue }
      let (name, currency): (String, Currency?) =
        switch match {
        case .account(let account): (account.name, account.currency)
        case .new(let name): (name, statement.currency)
        }
      guard let (number, other) = matcher.otherAccount(statement.account, than: name, currency)
      else { continue }
      throw InterchangeError(
        .account,
        "Couldn't import into “\(name)”: \(number) is a number of the account “\(other.name)”.",
        remedy: "Import the file into “\(other.name)”, or remove the number there with `daybook "
          + "accounts numbers \"\(other.name)\" --remove \"\(number)\"`.",
        path: path, line: statement.line)
    }
  }
}

extension StatementAccount {
  /// The numbers by which the ledger remembers an account: those of the file, or its name in the
  /// file if it has none and another name in the ledger.
  fileprivate func numbers(besides name: String) -> [String] {
    if identifiers.isEmpty, Folding.key(self.name) == Folding.key(name) { return [] }
    return matchingNumbers
  }

  /// The account's most specific number and its name in the file, for messages.
  public var words: String {
    let number = !iban.isEmpty ? iban : !number.isEmpty ? number : ""
    if number.isEmpty { return name.isEmpty ? "the file's account" : "“\(name)”" }
    return name.isEmpty ? number : "\(number) (“\(name)”)"
  }
}

extension Statement {
  /// The currency of the statement, either stated or taken from its balances and rows.
  ///
  /// `nil` if the currency is unknown, or if the rows are in several currencies.
  var currency: Currency? {
    if let stated = account.currency ?? closing?.amount.currency ?? opening?.amount.currency {
      return stated
    }
    guard let first = rows.first?.amount.currency else { return nil }
    return rows.allSatisfy { $0.amount.currency == first } ? first : nil
  }

  /// The balance before the first row, as stated or derived from the closing balance.
  fileprivate var impliedOpening: Money? {
    if let opening { return opening.amount }
    guard let closing else { return nil }
    var units = Int128(closing.amount.minorUnits)
    for row in rows where !row.isPending {
      guard row.amount.currency == closing.amount.currency else { return nil }
      units -= Int128(row.amount.minorUnits)
    }
    return Int64(exactly: units).map { Money($0, closing.amount.currency) }
  }
}

extension NameResolver {
  /// Returns the name of a statement's account.
  ///
  /// A missing account will be created. An existing account gets the numbers in the file.
  fileprivate mutating func open(
    _ statement: Statement, _ match: AccountMatcher.Match
  ) throws(InterchangeError) -> String {
    switch match {
    case .account(let account):
      remember(statement.account.numbers(besides: account.name), of: account)
      return account.name
    case .new(let name):
      let currency = statement.currency ?? statement.rows.first?.amount.currency
      // An account without a known currency isn't created.
      guard let currency else { return name }
      let opening = statement.begins ? statement.opening : nil
      _ = account(
        name, currency: currency, kind: statement.account.kind,
        opening: opening?.amount.minorUnits ?? 0,
        openingDay: opening?.amount.minorUnits == 0 ? nil : opening?.day,
        identifiers: statement.account.numbers(besides: name))
      return name
    }
  }
}
