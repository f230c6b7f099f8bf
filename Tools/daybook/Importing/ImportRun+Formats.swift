import Daybook
import DaybookInterchange
import DaybookTerminal

/// Imports of self-describing files: bank statements and the books of other programs.
extension ImportRun {
  private var statementImporter: StatementImporter {
    StatementImporter(
      settings: settings, accounts: formats.choice(columns), takesPending: formats.pending,
      assertsBalances: formats.assertBalances, converts: formats.convert)
  }

  /// Returns what an import of a file would change, without recording anything.
  ///
  /// - Parameter isOpen: Whether the file leaves questions open.
  func effects(
    of contents: FileContents, _ name: String, isOpen: Bool, in ledger: Ledger
  ) async throws -> ImportEffects? {
    var importer = statementImporter
    importer.skipRows = columns.skipRows.map(\.rule)
    do {
      if contents.books != nil {
        guard contents.badLineCount == 0 else { return nil }
        let importer = BooksImporter(settings: settings, assertsBalances: formats.assertBalances)
        let summary = try await importer.run(contents, path: name, into: ledger)
        return ImportEffects(summary, besides: contents.notices)
      }
      try ledger.read { try importer.check(contents, path: name, in: $0) }
      guard !isOpen, contents.badLineCount == 0 else { return nil }
      let summary = try await importer.run(contents, path: name, into: ledger)
      return ImportEffects(summary, besides: contents.notices)
    } catch let error as InterchangeError {
      return ImportEffects(Self.inFlags(error, name), Self.accountFlags(error))
    }
  }

  /// Imports a file in a known format.
  func land(
    _ file: Handover<RawFile>, as format: any FileFormat.Type, in ledger: Ledger,
    _ progress: @escaping @Sendable (ImportProgress) -> Void
  ) async throws -> Landed {
    let name = file.value.name
    var importer = statementImporter
    let contents = Handover(
      try await settled(file.take(), as: format, &importer, in: ledger) { progress(.reading($0)) },
      rest: FileContents())
    let settings = self.settings
    if contents.value.books != nil {
      guard !isInteractive else {
        throw CommandFailure.usage(
          "Couldn't review \(name): other programs' ledgers are imported completely.",
          remedy: "Leave out --interactive.")
      }
      let importer = BooksImporter(settings: settings, assertsBalances: formats.assertBalances)
      return .rows(
        try await interruption.cancelling {
          try await importer.run(contents.take(), path: name, into: ledger, progress: progress)
        }, mapping: nil)
    }
    if isInteractive {
      let plan = try await ImportPlan(contents.value, path: name, by: importer, for: ledger)
      if plan.items.contains(where: { $0.isNew }) {
        let categories = try ledger.read { try CategoryTree($0).paths }
        let chosen = try InteractiveImport.review(
          plan, title: name, categories: categories, interruption)
        guard let chosen else { return .nothing }
        return .rows(
          try await interruption.cancelling {
            try await chosen.record(in: ledger, progress: progress)
          }, mapping: nil)
      }
    }
    let chosen = importer
    return .rows(
      try await interruption.cancelling {
        try await chosen.run(contents.take(), path: name, into: ledger, progress: progress)
      }, mapping: nil)
  }

  /// Reads the contents of a file, and asks about accounts that can't be identified.
  ///
  /// After an answer, the file is read again, because amounts without a currency are in their
  /// account's currency.
  private func settled(
    _ file: RawFile, as format: any FileFormat.Type, _ importer: inout StatementImporter,
    in ledger: Ledger, _ progress: @escaping @Sendable (Double) -> Void
  ) async throws -> FileContents {
    let contents = try read(file, as: format, accounts: importer.accounts, in: ledger, progress)
    guard contents.books == nil else { return contents }
    let before = importer.accounts
    try await settleAccounts(of: contents, file.name, &importer, in: ledger)
    try settleBalances(in: contents, file.name, &importer, in: ledger)
    guard importer.accounts != before else { return contents }
    return try read(file, as: format, accounts: importer.accounts, in: ledger, progress)
  }

  /// Reads the contents of a file.
  func read(
    _ file: RawFile, as format: any FileFormat.Type, accounts: AccountChoice, in ledger: Ledger,
    _ progress: @escaping @Sendable (Double) -> Void
  ) throws -> FileContents {
    let known = try ledger.read { try ReadingOptions($0, accounts: accounts) }
    var options = try formats.reading(file, columns, known)
    options.progress = progress
    do {
      return try format.read(file, options)
    } catch {
      var error = error
      error.path = error.path ?? file.name
      throw error
    }
  }

  /// Asks whether to import rows that look like balances, unless the user reviews all rows.
  ///
  /// - Throws: `CommandFailure` if there are such rows and the user can't be asked.
  private func settleBalances(
    in contents: FileContents, _ name: String, _ importer: inout StatementImporter,
    in ledger: Ledger
  ) throws {
    importer.skipRows = columns.skipRows.map(\.rule)
    guard !isInteractive else { return }
    var settled = importer.skipRows + columns.takeRows.map(\.rule)
    let questions = try ledger.read { mayAsk ? try MappingQuestions($0, json: false) : nil }
    while true {
      let open = contents.balanceQuestions(settledBy: settled)
      guard let question = open.first else { return }
      guard let questions else { throw GuessWords.refusal(open, of: name) }
      switch try questions.choose(question) {
      case .skipRows(let rule):
        importer.skipRows.append(rule)
        settled.append(rule)
      case .takeRows(let rule): settled.append(rule)
      default: return
      }
    }
  }

  /// Asks about accounts that can't be identified.
  ///
  /// - Throws: `InterchangeError` if accounts are unknown and the user can't be asked.
  private func settleAccounts(
    of contents: FileContents, _ file: String, _ importer: inout StatementImporter,
    in ledger: Ledger
  ) async throws {
    do {
      try ledger.read { try importer.check(contents, path: file, in: $0) }
    } catch let error as InterchangeError where error.code == .account {
      let questions = try ledger.read {
        mayAsk ? try MappingQuestions($0, json: false) : nil
      }
      guard let questions, error.otherCurrency == nil else { throw Self.inFlags(error, file) }
      for account in error.unknownAccounts {
        try Output.line("\(file) is a statement of \(account.words).".printable)
        let name = try questions.accountName()
        guard let number = account.identifiers.first ?? (account.name.isEmpty ? nil : account.name)
        else {
          importer.accounts.all = name
          continue
        }
        importer.accounts.choose(name, for: Self.qualified(number, account, in: error))
      }
    }
  }

  /// Adds the currency to a number if the error is about currencies, or if another account has the
  /// same number.
  private static func qualified(
    _ number: String, _ account: StatementAccount, in error: InterchangeError
  ) -> String {
    let sharing = (error.unknownAccounts + error.matchedAccounts)
      .filter { $0.identifiers == account.identifiers }
    guard let currency = error.otherCurrency ?? account.currency, !number.isEmpty,
      error.otherCurrency != nil || sharing.count > 1
    else { return number }
    return "\(number):\(currency.code)"
  }

  /// The flag that names the ledger's account for an account of the file.
  private static func flag(
    _ account: StatementAccount, _ name: String, in error: InterchangeError
  ) -> String {
    let number = account.identifiers.first ?? account.name
    let place = qualified(number, account, in: error)
    return number.isEmpty
      ? "--account \(GuessWords.quoted(name))"
      : "--account-for \(GuessWords.quoted("\(place)=\(name)"))"
  }

  /// The flags that name accounts for those that an error lists.
  private static func accountFlags(_ error: InterchangeError) -> [String] {
    let isOnly = error.unknownAccounts.count == 1 && error.matchedAccounts.isEmpty
    if error.otherCurrency == nil, isOnly { return ["--account NAME"] }
    let name = error.otherCurrency == nil ? nil : error.fittingAccounts.first
    return error.unknownAccounts.prefix(3).map { flag($0, name ?? "NAME", in: error) }
  }

  /// The same error with a remedy that names the flags of this command.
  private static func inFlags(_ error: InterchangeError, _ name: String) -> InterchangeError {
    var error = error
    guard !error.unknownAccounts.isEmpty else { return error }
    if let currency = error.otherCurrency, let account = error.unknownAccounts.first {
      let fitting = error.fittingAccounts.prefix(3).map { flag(account, $0, in: error) }
      error.remedy =
        fitting.isEmpty
        ? "To import it into another account, add \(flag(account, "NAME", in: error)), with the "
          + "name of an account in \(currency.code); if there is none, it is created."
        : "To import it into an account in \(currency.code), add \(GuessWords.list(fitting))."
      error.remedy += " To convert all amounts at the rates of their days, add --convert."
      return error
    }
    let one = accountFlags(error).joined(separator: " ")
    let isRemembered = error.unknownAccounts.contains {
      !$0.identifiers.isEmpty || !$0.name.isEmpty
    }
    error.remedy =
      "Add \(one)."
      + (isRemembered ? " You need it only once; the ledger remembers the number." : "")
    return error
  }
}
