import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook edit`: changes properties of one transaction.
struct EditCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a transaction.",
    discussion: """
      Everything you don't specify stays unchanged. --amount is the amount on the account, as \
      `list --account` and `register` show it; in the currency that was paid, it is the price. \
      Changing the price, account or day recomputes an amount that was converted at the day's \
      rate. An amount that you or the bank stated stays until you change it.

        daybook edit 2026-02-14#123 --amount 12.50 --category Food
        daybook edit 2026-02-14#123 --part Food=12.50 --part Household=7.30
        daybook edit 2026-02-14#123 --part Food=12.50 --part Uncategorised=7.30
        daybook edit 2026-02-14#123 --no-category

      With --to, an expense becomes a transfer to that account:

        daybook edit 2026-02-14#123 --to Savings
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The transaction's id, or its place such as 2026-02-14#123.")
  var transaction: String

  @Option(
    help: "The amount, such as 12.50 or \"12.50 USD\"; for a transfer, the amount sent.")
  var amount: String?

  @OptionGroup var target: TargetOptions

  @Option(
    help: ArgumentHelp(
      "A part of a split, replacing all current parts; repeatable.",
      valueName: "category=amount"))
  var part: [String] = []

  @Flag(help: "Allow parts that don't add up to an imported transaction's total.")
  var changeTotal = false

  @Flag(help: "Remove the category.")
  var noCategory = false

  @Option(help: "For a transfer, the amount received, in the receiving account's currency.")
  var toAmount: String?

  @Option(help: "The amount in the account's currency.")
  var accountAmount: String?

  @Option(help: ArgumentHelp("The day.", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @OptionGroup var text: TextOptions
  @OptionGroup var paper: PaperOptions

  @Flag(help: "Remove all tags.")
  var noTags = false

  func validate() throws {
    if noTags, !text.tag.isEmpty {
      throw ValidationError(
        "Use either --tag or --no-tags, not both.")
    }
    if noCategory, target.category != nil {
      throw ValidationError("Use either --category or --no-category, not both.")
    }
    if !part.isEmpty {
      if amount != nil || target.category != nil || noCategory || target.to != nil
        || toAmount != nil
      {
        throw ValidationError(
          "--part can't be used with --amount, --category, --no-category, --to or --to-amount.")
      }
      try SplitParts.validate(part)
    } else if changeTotal {
      throw ValidationError(
        "--change-total requires --part. To change the amount of a transaction that isn't split, "
          + "use --amount.")
    }
    let given =
      [
        amount, target.account, target.category, target.to, toAmount, accountAmount, text.payee,
        text.description, paper.code,
      ]
      .contains { $0 != nil }
    let others =
      on != nil || paper.valueDay != nil || text.note != nil || text.status != nil
    guard given || others || noTags || noCategory || !part.isEmpty || !text.tag.isEmpty else {
      throw ValidationError(
        "Nothing to change. Add an option such as --amount 12.50 or --category Food.")
    }
  }

  func execute() async throws {
    let new = NewCategories()
    try await ledger.recordAndShow("Changed", creating: new) { snapshot in
      let row = try Lookup.transaction(transaction, in: snapshot)
      try check(row)
      var amendment = Amendment(
        day: on?.day(today: today.day), description: text.description, payee: text.payee,
        note: text.note, tags: noTags ? [] : text.tag.isEmpty ? nil : text.tag,
        status: text.status?.status)
      amendment.code = paper.code
      if let day = paper.valueDay?.day(today: today.day) { amendment.valueDay = .some(day) }
      let account = try target.account.map { try Lookup.account($0, in: snapshot) }
      if part.isEmpty { amendment.account = account?.id }
      let currencies = Currencies(of: row, movedTo: account)
      amendment.amount = try amount.map {
        try Amounts.money($0, in: currencies.shown, snapshot)
      }
      if row.type == .transfer, let given = amendment.amount, let own = currencies.amount,
        given.currency != own
      {
        throw CommandFailure.usage(
          "Couldn't change the amount: \(given) isn't in \(own.code), the currency of the sending "
            + "account.",
          remedy: "Use --amount for the amount sent, and --to-amount for the amount received.")
      }
      amendment.accountAmount = try accountAmount.map {
        try Amounts.money($0, in: currencies.account, snapshot)
      }
      if let given = amendment.amount, currencies.isForeign, given.currency == currencies.account {
        if let other = amendment.accountAmount {
          throw CommandFailure.usage(
            "Couldn't change the amount: --amount \(given) and --account-amount \(other) are both "
              + "in the account's currency.",
            remedy: "Use only one of them, or add the currency that was paid to --amount.")
        }
        amendment.accountAmount = given
        amendment.amount = nil
      }
      if noCategory {
        amendment.category = row.type == .income ? .uncategorizedIncome : .uncategorizedExpense
      }
      if !part.isEmpty {
        amendment.shape = try shape(
          of: row, account, in: currencies.account ?? currencies.amount, amendment.accountAmount,
          new, snapshot)
        amendment.accountAmount = nil
        amendment.changesImportedTotal = changeTotal
      }
      if let category = target.category {
        let kind: CategoryKind? =
          switch row.type {
          case .income: .income
          case .expense: .expense
          case .transfer: nil
          }
        amendment.category = try new.id(of: category, kind: kind, in: snapshot)
      }
      let receiver = try target.to.map { try Lookup.account($0, in: snapshot) }
      let received = try toAmount.map {
        try Amounts.money($0, in: receiver?.currency ?? currencies.target, snapshot)
      }
      if row.type != .transfer, let receiver {
        amendment.shape = .transfer(
          try transfer(of: row, account, to: receiver, amendment.amount, received, snapshot))
        amendment.account = nil
        amendment.amount = nil
      } else {
        amendment.otherAccount = receiver?.id
        amendment.targetAmount = received
      }
      return [.amend(row.id, amendment)]
    }
  }

  /// Rejects options that don't apply to the type of the transaction, with remedies in terms of
  /// this command.
  private func check(_ row: Transaction) throws {
    let categories = row.postings.filter { if case .category = $0.account { true } else { false } }
    if row.type == .transfer, !part.isEmpty || noCategory || target.category != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): it is a transfer, which has no category and no parts.",
        remedy: "Delete it, and add an expense or income instead.")
    }
    if categories.count > 1, amount != nil || noCategory || target.category != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): it is split into \(categories.count) parts.",
        remedy: "Replace all its parts, for example with --part Food=12.50 --part Household=7.30. "
          + "To see the current ones, run `daybook show \(row.place)`.")
    }
    if row.type == .transfer, accountAmount != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): it is a transfer, which doesn't take --account-amount.",
        remedy: "Use --amount for the amount sent, and --to-amount for the amount received.")
    }
    if row.type != .transfer, target.to == nil, toAmount != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): it is an \(row.type), and --to-amount can be used only with "
          + "a transfer.",
        remedy: "Change the amount in its account with --account-amount.")
    }
    if row.type != .transfer, target.to != nil {
      if accountAmount != nil || noCategory || target.category != nil {
        throw CommandFailure.usage(
          "Couldn't change \(row.place) to a transfer: a transfer has no category and no "
            + "--account-amount.",
          remedy: "Leave these options out. For the amount received, use --to-amount.")
      }
      if categories.count > 1 {
        throw CommandFailure.usage(
          "Couldn't change \(row.place) to a transfer: it is split into \(categories.count) parts.",
          remedy: "Delete it, and add a transfer instead.")
      }
    }
  }

  /// The transfer that an expense or income becomes.
  private func transfer(
    of row: Transaction, _ sender: Account?, to receiver: Account, _ amount: Money?,
    _ received: Money?, _ snapshot: borrowing Snapshot
  ) throws -> Draft.Transfer {
    guard let own = row.account, let moved = row.amount, moved.minorUnits != .min else {
      throw CommandFailure.usage(
        "Couldn't change \(row.place) to a transfer: it isn't on exactly one account.",
        remedy: "Delete it, and add a transfer instead.")
    }
    let size = Money(abs(moved.minorUnits), moved.currency)
    if moved.minorUnits <= 0 {
      return Draft.Transfer(
        amount ?? size, from: sender?.id ?? own, to: receiver.id, targetAmount: received)
    }
    guard let sender, receiver.id == own else {
      let name = try Names(snapshot).name(of: own)
      throw CommandFailure.usage(
        "Couldn't change \(row.place) to a transfer to \(receiver.name): its money arrives on "
          + "\(name).",
        remedy: "Name the sending account too: --account NAME --to \(name.asArgument).")
    }
    return Draft.Transfer(
      amount ?? size, from: sender.id, to: own,
      targetAmount: received ?? (sender.currency == moved.currency ? nil : size))
  }

  /// The shape of the transaction with the new parts.
  private func shape(
    of row: Transaction, _ moved: Account?, in standard: Currency?, _ accountAmount: Money?,
    _ new: NewCategories, _ snapshot: borrowing Snapshot
  ) throws -> Draft.Shape {
    var account = moved?.id
    if account == nil {
      // The built-in exchange account is never the transaction's own account.
      for case .account(let id) in row.postings.map(\.account) where id != .exchange {
        account = account ?? id
      }
    }
    let kind: CategoryKind = row.type == .income ? .income : .expense
    let parts = try SplitParts.read(part, of: kind, in: standard, creating: new, snapshot)
    if parts.count == 1 {
      return .entry(
        Draft.Entry(
          kind == .income ? .income : .expense, parts[0].amount, account: account,
          category: parts[0].category, accountAmount: accountAmount))
    }
    let signed = try accountAmount.map { kind == .income ? $0 : try $0.negated() }
    return .split(
      Draft.Split(account: account, kind: kind, parts: parts, accountAmount: signed))
  }

  /// The default currencies for the amounts of a transaction.
  private struct Currencies {
    var amount: Currency?
    var account: Currency?
    var target: Currency?
    /// Whether an expense or income isn't in its account's currency.
    var isForeign = false
    /// The currency in which the account's lists show the transaction.
    var shown: Currency? { isForeign ? account : amount }

    init(of row: Transaction, movedTo other: Account?) {
      var accounts: [Money] = []
      for posting in row.postings {
        switch posting.account {
        case .category: amount = amount ?? posting.amount.currency
        // The built-in exchange account is never one of the transaction's own accounts.
        case .account(.exchange): continue
        case .account: accounts.append(posting.amount)
        }
      }
      if row.type == .transfer, accounts.count == 2 {
        let source = accounts[0].minorUnits <= 0 ? 0 : 1
        account = accounts[source].currency
        target = accounts[1 - source].currency
      } else {
        account = accounts.first?.currency
      }
      // Use an amount in the old account's currency as an amount in the new account's currency.
      if let other, amount == account { amount = other.currency }
      account = other?.currency ?? account
      amount = amount ?? account
      isForeign = row.type != .transfer && amount != account
    }
  }
}
