import Daybook
import Foundation

/// The form for a transaction, with its errors.
///
/// The form keeps the input exactly as typed.
struct TransactionForm {
  /// The input by field.
  var values: [String: String]
  /// The errors by field; errors of the whole form are under `""`.
  var faults: [String: String] = [:]
  /// The parts of a split; empty if the transaction is not split.
  var parts = SplitParts(blank: 0)
  /// Whether the form asks for confirmation to change the total of an imported transaction.
  var asksForTotal = false

  static let names = [
    "type", "day", "amount", "account", "category", "otherAccount", "received", "fee", "payee",
    "description", "note",
    "tags", "status", "excludedFromTotals",
  ]

  /// Reads a submitted form.
  init(sent context: PageContext) {
    values = Dictionary(
      context.request.form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    parts = SplitParts(sent: context)
    asksForTotal = changesTotal
    if text("do") == "part" { parts.lines.append(SplitParts.Line()) }
  }

  /// Creates an empty form with the values in the address.
  init(new context: PageContext) {
    values = ["day": "\(context.today)", "type": "expense", "status": "cleared"]
    for name in Self.names { if let value = context.query(name) { values[name] = value } }
    parts = SplitParts(blank: context.query("parts").flatMap { Int($0) } ?? 0)
  }

  /// Creates the form of an existing transaction.
  init(_ transaction: Transaction, _ context: PageContext, _ names: NameBook) {
    values = [
      "type": transaction.isRefund ? "refund" : "\(transaction.type)", "day": "\(transaction.day)",
      "payee": transaction.payee,
      "description": transaction.description, "note": transaction.note,
      "tags": transaction.tags.joined(separator: ", "), "status": "\(transaction.status)",
      "excludedFromTotals": transaction.isExcludedFromTotals ? "on" : "",
    ]
    values["account"] = (transaction.account ?? transaction.ownSide?.account).map { "\($0)" }
    values["category"] = transaction.category.flatMap { $0.isBuiltin ? nil : "\($0)" }
    values["otherAccount"] = transaction.otherAccount.map { "\($0)" }
    if let money = transaction.ownSide?.amount { values["amount"] = Self.plain(money, context) }
    if let money = Self.received(transaction) { values["received"] = Self.plain(money, context) }
    // Query parameters override the transaction's current values.
    for name in Self.names { if let value = context.query(name) { values[name] = value } }
    parts = SplitParts(transaction, context, names)
    let more = context.query("parts").flatMap { Int($0) } ?? (transaction.hasParts ? 1 : 0)
    if !transaction.hasParts || !parts.lines.isEmpty {
      parts.lines += SplitParts(blank: more).lines
    }
  }

  /// Formats an amount for typing, without its sign and currency.
  private static func plain(_ money: Money, _ context: PageContext) -> String {
    let text = Total(units: Int128(money.minorUnits).magnitude.asSigned, currency: money.currency)
      .text
    return context.locale.decimalSeparator == "," ? text.replacing(".", with: ",") : text
  }

  func text(_ name: String) -> String {
    (values[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Whether the user confirmed changing the total of an imported transaction.
  var changesTotal: Bool { values["change-total"] == "on" }

  var tags: [String] {
    text("tags").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// Returns the day, or adds an error.
  mutating func day(_ context: PageContext) -> Day? {
    let day = Day(text("day"))
    if day == nil { faults["day"] = context[text("day").isEmpty ? .needed : .wrongDay] }
    return day
  }

  /// Returns the amount in a currency, or adds an error.
  mutating func amount(_ currency: Currency, _ context: PageContext) -> Money? {
    let money = AmountText.read(text("amount"), currency, context.locale)
    guard let money, money.minorUnits > 0 else {
      let word: Word =
        text("amount").isEmpty ? .needed : money == nil ? .wrongAmount : .amountAboveZero
      faults["amount"] = context[word]
      return nil
    }
    return money
  }

  /// The amount received by the destination account of a transfer between currencies; `nil` for
  /// other transactions.
  static func received(_ transaction: Transaction) -> Money? {
    guard let sent = transaction.amount, let target = transaction.otherAccount,
      let money = transaction.amount(on: target), money.currency != sent.currency
    else { return nil }
    return money
  }

  /// Returns the amount received in the destination account's currency, or adds an error.
  ///
  /// If the field is empty, returns `nil` without an error, and the amount is converted.
  private mutating func received(
    from source: Currency, to target: AccountID?, _ context: PageContext, _ names: NameBook
  ) -> Money? {
    guard !text("received").isEmpty else { return nil }
    let currency = names.accounts.first { $0.id == target }?.currency
    let money = currency.flatMap { AmountText.read(text("received"), $0, context.locale) }
    guard let money, money.minorUnits > 0 else {
      faults["received"] = context[money == nil ? .wrongAmount : .amountAboveZero]
      return nil
    }
    guard money.currency != source else {
      faults["received"] = context[.receivedHint]
      return nil
    }
    return money
  }

  /// Returns the draft of a new transaction, or `nil` if the form has errors.
  mutating func draft(_ context: PageContext, _ names: NameBook) -> Draft? {
    let day = day(context)
    let source = AccountID(text("account")).flatMap { id in names.accounts.first { $0.id == id } }
    guard let source else {
      faults["account"] = context[.needed]
      return nil
    }
    let amount = amount(source.currency, context)
    let shape: Draft.Shape?
    switch TransactionType(name: text("type")) {
    case .transfer:
      let target = AccountID(text("otherAccount"))
      if target == nil { faults["otherAccount"] = context[.needed] }
      let received = received(from: source.currency, to: target, context, names)
      shape = amount.map { amount in
        withFee(amount, source, received, target, context, names)
          ?? .transfer(
            Draft.Transfer(amount, from: source.id, to: target, targetAmount: received))
      }
    case let type where parts.isUsed:
      shape = amount.flatMap {
        split(
          source.id, $0, isIncome: type == .income || text("type") == "refund", context, names
        ).map { .split($0) }
      }
    case let type:
      let direction: Draft.Direction =
        text("type") == "refund" ? .refund : type == .income ? .income : .expense
      let category = CategoryID(text("category"))
      shape = amount.map {
        .entry(Draft.Entry(direction, $0, account: source.id, category: category))
      }
    }
    guard faults.isEmpty, let day, let shape else { return nil }
    var draft = Draft(
      shape, on: day, description: text("description"), payee: text("payee"), note: text("note"),
      tags: tags, status: Status(name: text("status")) ?? .cleared)
    draft.isExcludedFromTotals = text("excludedFromTotals") == "on"
    return draft
  }

  /// Returns the transfer with a fee on top of the amount, which has the form's category; `nil` if
  /// there is no fee.
  private mutating func withFee(
    _ amount: Money, _ source: Account, _ received: Money?, _ target: AccountID?,
    _ context: PageContext, _ names: NameBook
  ) -> Draft.Shape? {
    guard !text("fee").isEmpty, let target else { return nil }
    let fee = AmountText.read(text("fee"), source.currency, context.locale)
    let receiver = names.accounts.first { $0.id == target }
    let isForeign = receiver?.currency != source.currency
    guard let fee, fee.minorUnits > 0, let sent = try? amount + fee else {
      faults["fee"] = context[fee == nil ? .wrongAmount : .amountAboveZero]
      return nil
    }
    guard !isForeign || received != nil else {
      faults["received"] = context[.needed]
      return nil
    }
    return .split(
      Draft.Split(
        account: source.id, kind: .expense,
        parts: [
          Draft.Part(received ?? amount, to: target), Draft.Part(fee, CategoryID(text("category"))),
        ], accountAmount: isForeign ? Money(-sent.minorUnits, sent.currency) : nil))
  }

  /// Returns the split of an amount, or adds an error if its parts don't add up to the amount.
  private mutating func split(
    _ account: AccountID, _ amount: Money, isIncome: Bool, _ context: PageContext,
    _ names: NameBook
  ) -> Draft.Split? {
    let rest = parts.remainder(of: amount, isIncome: isIncome, context, names)
    guard let rest, rest.minorUnits == 0 else {
      faults["parts"] = context[rest == nil ? .wrongAmount : .partsDiffer]
      return nil
    }
    return parts.split(account, amount.currency, isIncome: isIncome, context)
  }

  /// Returns the changes to a transaction, or `nil` if the form has errors.
  mutating func amendment(
    of transaction: Transaction, _ context: PageContext, _ names: NameBook
  ) -> Amendment? {
    let before = TransactionForm(transaction, context, names)
    func changed(_ name: String) -> Bool { text(name) != before.text(name) }
    var amendment = Amendment(seen: transaction)
    if changed("day") { amendment.day = day(context) }
    let isTurned =
      changed("type") && (text("type") == "refund" || TransactionType(name: text("type")) != nil)
    let isIncome =
      isTurned ? text("type") == "income" || text("type") == "refund" : transaction.isInflow
    let ownCurrency = transaction.ownSide?.amount.currency
    let filled = parts.lines.filter { !$0.isBlank }
    if isTurned, text("type") == "transfer" || !parts.isUsed {
      amendType(&amendment, transaction, context, names)
      if changed("amount"), let ownCurrency { amendment.amount = amount(ownCurrency, context) }
    } else if parts.isUsed {
      if isTurned || filled != before.parts.lines.filter({ !$0.isBlank }) || changed("amount")
        || changed("account"), let ownCurrency,
        let amount = amount(ownCurrency, context), let account = AccountID(text("account"))
      {
        amendment.shape = split(account, amount, isIncome: isIncome, context, names)
          .map { .split($0) }
      }
    } else if transaction.hasParts, before.parts.isUsed {
      // Without parts, the transaction gets a single category.
      if let ownCurrency, let amount = amount(ownCurrency, context) {
        amendment.shape = .entry(
          Draft.Entry(
            transaction.isInflow ? .income : .expense, amount,
            account: AccountID(text("account")), category: CategoryID(text("category"))))
      }
    } else if changed("amount"), let money = transaction.amount {
      amendment.amount = amount(money.currency, context)
    }
    if amendment.shape != nil || isTurned { amendment.changesImportedTotal = changesTotal }
    if amendment.shape == nil, amendment.type == nil, changed("account") {
      amendment.account = AccountID(text("account"))
    }
    if amendment.shape == nil, amendment.type == nil, !transaction.hasParts, changed("category") {
      let none: CategoryID =
        transaction.type == .income ? .uncategorizedIncome : .uncategorizedExpense
      amendment.category = CategoryID(text("category")) ?? none
    }
    if transaction.type == .transfer, amendment.type == nil, changed("otherAccount") {
      amendment.otherAccount = AccountID(text("otherAccount"))
    }
    if transaction.type == .transfer, amendment.type == nil, changed("received") {
      amendReceived(&amendment, transaction, context, names)
    }
    if !text("fee").isEmpty { amendFee(&amendment, transaction, context, names) }
    if changed("payee") { amendment.payee = text("payee") }
    if changed("description") { amendment.description = text("description") }
    if changed("note") { amendment.note = text("note") }
    if changed("tags") { amendment.tags = tags }
    if changed("status") { amendment.status = Status(name: text("status")) }
    if changed("excludedFromTotals") {
      amendment.isExcludedFromTotals = text("excludedFromTotals") == "on"
    }
    return faults.isEmpty ? amendment : nil
  }

  /// Sets what the transaction becomes, with its accounts or its category.
  private mutating func amendType(
    _ amendment: inout Amendment, _ transaction: Transaction, _ context: PageContext,
    _ names: NameBook
  ) {
    let account = AccountID(text("account"))
    amendment.account = account
    switch TransactionType(name: text("type")) {
    case .transfer:
      amendment.type = .transfer
      amendment.otherAccount = AccountID(text("otherAccount"))
      if amendment.otherAccount == nil { faults["otherAccount"] = context[.needed] }
      let source = names.accounts.first { $0.id == account }?.currency
      if let source {
        amendment.targetAmount = received(
          from: source, to: amendment.otherAccount, context, names)
      }
    case let type:
      amendment.type =
        text("type") == "refund" ? .refund : type == .income ? .income : .expense
      let isIncome = type == .income
      if let category = CategoryID(text("category")), names.isIncome(category) == isIncome {
        amendment.category = category
      }
    }
  }

  /// Makes the transfer, as the form describes it, one with a fee.
  private mutating func amendFee(
    _ amendment: inout Amendment, _ transaction: Transaction, _ context: PageContext,
    _ names: NameBook
  ) {
    guard text("type") == "transfer", !transaction.hasParts,
      let source = names.accounts.first(where: { $0.id == AccountID(text("account")) }),
      let sent = amount(source.currency, context)
    else { return }
    let target = AccountID(text("otherAccount"))
    let received = received(from: source.currency, to: target, context, names)
    guard let shape = withFee(sent, source, received, target, context, names) else { return }
    (amendment.type, amendment.amount, amendment.targetAmount) = (nil, nil, nil)
    (amendment.account, amendment.otherAccount, amendment.category) = (nil, nil, nil)
    amendment.shape = shape
    amendment.changesImportedTotal = changesTotal
  }

  /// Sets the amount received that was typed, or converts it again if the field was emptied.
  private mutating func amendReceived(
    _ amendment: inout Amendment, _ transaction: Transaction, _ context: PageContext,
    _ names: NameBook
  ) {
    let source = AccountID(text("account")).flatMap { id in names.accounts.first { $0.id == id } }
    guard let source else { return }
    let target = AccountID(text("otherAccount"))
    if !text("received").isEmpty {
      amendment.targetAmount = received(from: source.currency, to: target, context, names)
    } else if let sent = amendment.amount ?? transaction.amount {
      amendment.amount = nil
      amendment.account = nil
      amendment.otherAccount = nil
      amendment.shape = .transfer(Draft.Transfer(sent, from: source.id, to: target))
      amendment.changesImportedTotal = changesTotal
    }
  }

  /// Adds the ledger's refusal as an error to the field that it refers to.
  mutating func refuse(_ error: DaybookError, _ context: PageContext) {
    let field =
      switch error.refusal?.code {
      case .day, .closedPeriod: "day"
      case .negative, .overflow, .currencyMismatch, .noRate: "amount"
      case .closed: "account"
      case .transfer: "otherAccount"
      case .kind: "category"
      case .importedTotal: parts.isUsed ? "parts" : "amount"
      case .reconciled: "status"
      default: ""
      }
    faults[field] = context.text(error)
    if error.refusal?.code == .importedTotal { asksForTotal = true }
  }
}

extension UInt128 {
  /// The number as a signed integer that is large enough for the magnitude of any amount.
  fileprivate var asSigned: Int128 { Int128(clamping: self) }
}
