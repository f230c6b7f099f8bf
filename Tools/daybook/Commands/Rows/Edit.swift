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

      --type changes what the transaction is. It keeps the amount on its account, its history and \
      its links. With --to, an expense becomes a transfer to that account:

        daybook edit 2026-02-14#123 --type refund
        daybook edit 2026-02-14#123 --type income --category Salary
        daybook edit 2026-02-14#123 --to Savings

      --fee adds a fee to a transfer, as `add transfer` does. If the amount sent includes the fee, \
      as in an imported row, give the amount received too:

        daybook edit 2026-02-14#123 --to-amount 100 --fee 1.50 --fee-category Bank:Fees

      --distinct-from tells two similar transactions apart, so that `daybook duplicates`, \
      `daybook transfers find` and the inbox no longer list them:

        daybook edit 2026-02-14#123 --distinct-from 2026-02-13#98
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The transaction's id, or its place such as 2026-02-14#123.")
  var transaction: String

  @Option(
    help: "The amount, such as 12.50 or \"12.50 USD\"; for a transfer, the amount sent.")
  var amount: String?

  @Option(
    help: ArgumentHelp(
      "What the transaction becomes: expense, income, refund or transfer. A split becomes a "
        + "single amount, unless you add --part.", valueName: "type"))
  var type: AddCommand.Kind?

  @OptionGroup var target: TargetOptions
  @OptionGroup var parts: PartOptions
  @OptionGroup var fees: FeeOptions

  @Flag(help: "Allow parts or a type that change an imported transaction's total.")
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
  @OptionGroup var totals: TotalsOptions

  @Flag(help: "Remove all tags.")
  var noTags = false

  @Option(
    help: ArgumentHelp(
      "A transaction that is neither its duplicate nor the other half of a transfer; repeatable.",
      valueName: "transaction"))
  var distinctFrom: [String] = []

  @Flag(help: "List its possible duplicates and transfers again.")
  var noDistinctFrom = false

  func validate() throws {
    if noTags, !text.tag.isEmpty {
      throw ValidationError(
        "Use either --tag or --no-tags, not both.")
    }
    if noDistinctFrom, !distinctFrom.isEmpty {
      throw ValidationError("Use either --distinct-from or --no-distinct-from, not both.")
    }
    if noCategory, target.category != nil {
      throw ValidationError("Use either --category or --no-category, not both.")
    }
    if parts.isUsed {
      if type == .transfer || type == .refund {
        throw ValidationError("With --part and --part-to, --type can be expense or income.")
      }
      if amount != nil || target.category != nil || noCategory || target.to != nil
        || toAmount != nil
      {
        throw ValidationError(
          "--part and --part-to can't be used with --amount, --category, --no-category, --to or "
            + "--to-amount.")
      }
      guard !fees.isUsed else {
        throw ValidationError(
          "--fee and --fee-category can't be used with --part and --part-to.")
      }
      try SplitParts.validate(parts.part, to: parts.partTo)
    } else if changeTotal, type == nil {
      throw ValidationError(
        "--change-total requires --part or --type. To change the amount of a transaction that isn't "
          + "split, use --amount.")
    }
    let given =
      [
        amount, target.account, target.category, target.to, toAmount, accountAmount, text.payee,
        text.description, paper.code,
      ]
      .contains { $0 != nil }
    let others =
      type != nil || on != nil || paper.valueDay != nil || text.note != nil || text.status != nil
      || totals.isExcluded != nil || fees.isUsed
    let isToldApart = noDistinctFrom || !distinctFrom.isEmpty
    guard
      given || others || noTags || noCategory || parts.isUsed || !text.tag.isEmpty || isToldApart
    else {
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
      amendment.isExcludedFromTotals = totals.isExcluded
      if noDistinctFrom {
        amendment.distinctFrom = []
      } else if !distinctFrom.isEmpty {
        let others = try distinctFrom.map { try Lookup.transaction($0, in: snapshot).id }
        amendment.distinctFrom =
          row.distinctFrom + others.filter { !row.distinctFrom.contains($0) }
      }
      if let day = paper.valueDay?.day(today: today.day) { amendment.valueDay = .some(day) }
      let account = try target.account.map { try Lookup.account($0, in: snapshot) }
      if !parts.isUsed { amendment.account = account?.id }
      let currencies = Currencies(of: row, movedTo: account)
      let isArriving = row.type == .transfer && (type == .income || type == .refund)
      amendment.amount = try amount.map {
        try Amounts.money($0, in: isArriving ? currencies.target : currencies.shown, snapshot)
      }
      if row.type == .transfer, !isArriving, let given = amendment.amount,
        let own = currencies.amount,
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
      let isIncome = type.map { $0 == .income } ?? (row.type == .income)
      if noCategory {
        amendment.category = isIncome ? .uncategorizedIncome : .uncategorizedExpense
      }
      amendment.type = parts.isUsed ? nil : type?.transactionKind
      amendment.changesImportedTotal = changeTotal
      if parts.isUsed {
        amendment.shape = try shape(
          of: row, account, in: currencies.account ?? currencies.amount, amendment.accountAmount,
          new, snapshot)
        amendment.accountAmount = nil
      }
      if let category = target.category {
        let kind: CategoryKind? =
          row.type == .transfer && type == nil ? nil : isIncome ? .income : .expense
        amendment.category = try new.id(of: category, kind: kind, in: snapshot)
      }
      let receiver = try target.to.map { try Lookup.account($0, in: snapshot) }
      let received = try toAmount.map {
        try Amounts.money($0, in: receiver?.currency ?? currencies.target, snapshot)
      }
      if let receiver, becomesTransfer(row) {
        try check(row, account, to: receiver, snapshot)
        amendment.type = .transfer
        // The amount on the account is the amount sent.
        amendment.amount = amendment.accountAmount ?? amendment.amount
        amendment.accountAmount = nil
      }
      amendment.otherAccount = receiver?.id
      amendment.targetAmount = received
      if fees.isUsed {
        try addFee(to: row, &amendment, account, receiver, new, snapshot)
      }
      return [.amend(row.id, amendment)]
    }
  }

  /// Makes the transfer, with its changes, one with a fee.
  private func addFee(
    to row: Transaction, _ amendment: inout Amendment, _ account: Account?, _ receiver: Account?,
    _ new: NewCategories, _ snapshot: borrowing Snapshot
  ) throws {
    let own = try account ?? row.account.flatMap { try snapshot.account($0) }
    let other = try receiver ?? row.otherAccount.flatMap { try snapshot.account($0) }
    guard row.type == .transfer && type == nil || amendment.type == .transfer || type == .transfer,
      let other, let moved = row.amount
    else {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): --fee can be used only with a transfer.",
        remedy: "For another fee of a transfer that has one, use --part and --part-to.")
    }
    let sent = try amendment.amount ?? (moved.minorUnits < 0 ? moved.negated() : moved)
    // Without new amounts, what arrived in another currency stays.
    let known = receiver == nil && amendment.amount == nil ? row.amount(on: other.id) : nil
    let arriving = amendment.targetAmount ?? (other.currency == sent.currency ? nil : known)
    amendment.shape = try TransferFee(fees, own?.currency, snapshot).shape(
      sent, from: own, to: other, arriving, on: amendment.day ?? row.day, creating: new, snapshot)
    (amendment.type, amendment.amount, amendment.targetAmount) = (nil, nil, nil)
    (amendment.account, amendment.otherAccount) = (nil, nil)
  }

  /// Whether the transaction, which isn't one yet, becomes a transfer.
  private func becomesTransfer(_ row: Transaction) -> Bool {
    row.type != .transfer && (type == .transfer || type == nil && !row.hasTransferPart)
  }

  /// Rejects options that don't apply to the type of the transaction, with remedies in terms of
  /// this command.
  private func check(_ row: Transaction) throws {
    let categories = row.postings.filter { if case .category = $0.account { true } else { false } }
    let isTransfer = type.map { $0 == .transfer } ?? (row.type == .transfer)
    if isTransfer, noCategory || target.category != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): a transfer has no category.",
        remedy: "Leave out the category, or change the type with --type expense, for example.")
    }
    if row.type == .transfer, type == nil, !parts.part.isEmpty, parts.partTo.isEmpty {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): these parts don't include the other account of the transfer.",
        remedy: "Add it with --part-to ACCOUNT=AMOUNT, or add --type expense or --type income.")
    }
    if isTransfer, accountAmount != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): it is a transfer, which doesn't take --account-amount.",
        remedy: "Use --amount for the amount sent, and --to-amount for the amount received.")
    }
    if row.type != .transfer, type == .transfer, target.to == nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place) to a transfer: the other account is missing.",
        remedy: "Name the account that receives the money with --to.")
    }
    if let type, type != .transfer, target.to != nil || toAmount != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place) to \(type.withArticle): --to and --to-amount can be used only "
          + "with a transfer.",
        remedy: "Leave them out, or use --type transfer.")
    }
    let isSplit = row.isSplit || row.hasTransferPart
    if isSplit, type == nil, amount != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): it is split into \(row.partCount) parts.",
        remedy: Self.partsRemedy(row))
    }
    if categories.count > 1, type == nil, noCategory || target.category != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): it is split into \(categories.count) parts.",
        remedy: Self.partsRemedy(row))
    }
    if categories.count > 1, type == nil, !row.hasTransferPart, target.to != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place) to a transfer: it is split into \(categories.count) parts.",
        remedy: "To replace its parts by a transfer, add --type transfer. To make one part a "
          + "transfer, use --part and --part-to.")
    }
    if row.type != .transfer, target.to == nil, toAmount != nil {
      throw CommandFailure.usage(
        "Couldn't change \(row.place): it is an \(row.type), and --to-amount can be used only with "
          + "a transfer.",
        remedy: "Change the amount in its account with --account-amount.")
    }
    if row.type != .transfer, !row.hasTransferPart, target.to != nil,
      accountAmount != nil || noCategory || target.category != nil
    {
      throw CommandFailure.usage(
        "Couldn't change \(row.place) to a transfer: a transfer has no category and no "
          + "--account-amount.",
        remedy: "Leave these options out. For the amount received, use --to-amount.")
    }
  }

  private static func partsRemedy(_ row: Transaction) -> String {
    "Replace all its parts, for example with --part Food=12.50 --part Household=7.30. "
      + "To see the current ones, run `daybook show \(row.place)`. For a single amount, add --type."
  }

  /// Rejects a transfer to an account other than the one on which the money arrives.
  private func check(
    _ row: Transaction, _ sender: Account?, to receiver: Account, _ snapshot: borrowing Snapshot
  ) throws {
    guard let own = row.account, let moved = row.amount else { return }
    if moved.minorUnits > 0, sender == nil || receiver.id != own {
      let name = try Names(snapshot).name(of: own)
      throw CommandFailure.usage(
        "Couldn't change \(row.place) to a transfer to \(receiver.name): its money arrives on "
          + "\(name).",
        remedy: "Name the sending account too: --account NAME --to \(name.asArgument).")
    }
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
    let kind: CategoryKind =
      type.map { $0 == .income ? .income : .expense } ?? (row.type == .income ? .income : .expense)
    let parts =
      try SplitParts.read(self.parts.part, of: kind, in: standard, creating: new, snapshot)
      + SplitParts.read(to: self.parts.partTo, snapshot)
    if parts.count == 1, parts[0].account == nil, !parts[0].isReversed {
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

extension Transaction {
  /// Whether a part of the transaction goes to another account.
  fileprivate var hasTransferPart: Bool { type != .transfer && account == nil && partCount > 1 }

  /// The number of parts: the categories, and the accounts after the first one.
  fileprivate var partCount: Int { postings.count { $0.accountID != .exchange } - 1 }
}
