import Daybook
import Foundation

/// A transaction as typed in the row for adding one: names instead of ids, and a signed amount.
///
/// The payee `Transfer: Savings` records a transfer. An amount with `+` enters the account and one
/// with `-` leaves it; without a sign, the category's kind determines the direction.
struct QuickEntry {
  var sent: SentForm
  var parts: SplitParts

  init(_ context: PageContext) {
    sent = SentForm(context)
    parts = SplitParts(sent: context)
  }

  /// Returns the draft of the transaction, or `nil` after adding errors to the form.
  mutating func draft(_ context: PageContext, _ names: NameBook) -> Draft? {
    let day = sent.day("day", context, isNeeded: true)
    let account = names.openAccounts.first { $0.id == AccountID(sent.text("account")) }
    if account == nil { sent.faults["account"] = context[.needed] }
    let category = self.category(context, names)
    guard let account, let (amount, isSigned) = self.amount(account.currency, context)
    else {
      return nil
    }
    let isIncome = amount.minorUnits > 0 && (isSigned || category?.kind == .income)
    let shape: Draft.Shape?
    if let other = names.account(transferredAs: sent.text("payee"), context) {
      shape = transfer(
        amount, account, other, isInflow: isSigned && amount.minorUnits > 0, category, context)
    } else if parts.isUsed {
      shape = split(amount, account, isSigned: isSigned, context, names)
    } else {
      shape = .entry(
        Draft.Entry(
          direction(isInflow: isIncome, category?.kind), amount.size, account: account.id,
          category: category?.id))
    }
    guard sent.faults.isEmpty, let day, let shape else { return nil }
    let isTransfer = if case .transfer = shape { true } else { false }
    return Draft(
      shape, on: day, description: sent.text("description"),
      payee: isTransfer ? "" : sent.text("payee"), note: "", tags: [], status: status)
  }

  // MARK: Fields

  private var status: Status { sent.text("status") == "pending" ? .pending : .cleared }

  private mutating func category(_ context: PageContext, _ names: NameBook) -> Category? {
    guard let text = sent.optional("category") else { return nil }
    let category = names.category(named: text, context)
    if category == nil { sent.faults["category"] = context[.unknownCategory] }
    return category
  }

  /// Returns the amount, and whether it was typed with a sign.
  private mutating func amount(
    _ currency: Currency, _ context: PageContext
  ) -> (amount: Money, isSigned: Bool)? {
    let text = sent.text("amount")
    let amount = AmountText.read(text, currency, context.locale)
    guard let amount, amount.minorUnits != 0, amount.minorUnits != .min else {
      let word: Word = text.isEmpty ? .needed : amount == nil ? .wrongAmount : .amountAboveZero
      sent.faults["amount"] = context[word]
      return nil
    }
    return (amount, amount.minorUnits < 0 || text.first.map { "+-−".contains($0) } ?? false)
  }

  private func direction(isInflow: Bool, _ kind: CategoryKind?) -> Draft.Direction {
    switch kind {
    case .income: isInflow ? .income : .incomeReversal
    case .expense: isInflow ? .refund : .expense
    case nil: isInflow ? .income : .expense
    }
  }

  // MARK: Shapes

  private mutating func transfer(
    _ amount: Money, _ account: Account, _ other: Account, isInflow: Bool, _ category: Category?,
    _ context: PageContext
  ) -> Draft.Shape? {
    if category != nil || parts.isUsed { sent.faults["category"] = context[.transferCategory] }
    // The amount is in this account's currency, but a transfer needs its source's.
    if isInflow, account.currency != other.currency {
      sent.faults["amount"] = context[.transferElsewhere]
    }
    guard sent.faults.isEmpty else { return nil }
    let (source, target) = isInflow ? (other, account) : (account, other)
    return .transfer(Draft.Transfer(amount.size, from: source.id, to: target.id))
  }

  private mutating func split(
    _ amount: Money, _ account: Account, isSigned: Bool, _ context: PageContext, _ names: NameBook
  ) -> Draft.Shape? {
    guard let known = knownParts(context, names) else { return nil }
    let kinds = known.lines.filter { !$0.isBlank }.map { line -> CategoryKind? in
      CategoryID(line.category).map { names.isIncome($0) ? .income : .expense }
    }
    let isIncome =
      amount.minorUnits > 0 && (isSigned || kinds.allSatisfy { $0 == .income })
    let rest = known.remainder(of: amount.size, isIncome: isIncome, context, names)
    guard rest?.minorUnits == 0 else {
      sent.faults["parts"] = context[rest == nil ? .wrongAmount : .partsDiffer]
      return nil
    }
    return known.split(account.id, account.currency, isIncome: isIncome, context)
      .map { .split($0) }
  }

  /// Returns the parts with ids instead of names, or `nil` after adding an error.
  private mutating func knownParts(_ context: PageContext, _ names: NameBook) -> SplitParts? {
    var known = parts
    for index in known.lines.indices where !known.lines[index].isBlank {
      let text = known.lines[index].category.trimmingCharacters(in: .whitespaces)
      if text.isEmpty { continue }
      if let account = names.account(transferredAs: text, context) {
        known.lines[index].category = "to:\(account.id)"
      } else if let category = names.category(named: text, context) {
        known.lines[index].category = "\(category.id)"
      } else {
        sent.faults["parts"] = context[.unknownCategory]
        return nil
      }
    }
    return known
  }

  /// Adds the ledger's refusal as an error of the field that it refers to.
  mutating func refuse(_ error: DaybookError, _ context: PageContext) {
    sent.refuse(error, ["day", "amount", "category", "account"], context)
  }

  // MARK: The whole form

  /// Returns the form with all fields, filled with the typed text.
  func whole(_ context: PageContext, _ names: NameBook) -> TransactionForm {
    var form = TransactionForm(sent: context)
    let text = sent.text("amount")
    let category = names.category(named: sent.text("category"), context)
    let other = names.account(transferredAs: sent.text("payee"), context)
    let isIncome = text.hasPrefix("+") || category?.kind == .income
    form.values["type"] = other != nil ? "transfer" : isIncome ? "income" : "expense"
    let isSigned = text.first.map { "+-−".contains($0) } ?? false
    form.values["amount"] = isSigned ? String(text.dropFirst()) : text
    form.values["category"] = category.map { "\($0.id)" }
    form.values["status"] = "\(status)"
    if let other {
      form.values["otherAccount"] = "\(other.id)"
      form.values["payee"] = ""
    }
    var copy = self
    if let known = copy.knownParts(context, names) {
      form.parts.lines = known.lines + form.parts.lines.dropFirst(known.lines.count)
    }
    return form
  }
}

extension Money {
  /// The amount without its sign, which must not be the smallest one.
  fileprivate var size: Money { Money(abs(minorUnits), currency) }
}
