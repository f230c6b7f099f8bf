import Daybook

extension StatementRow {
  /// Adds the transaction of a row, or two transactions for a transfer with a fee.
  ///
  /// Later imports recognise a row by the amounts posted to its categories. If a transfer included
  /// its fee, it would be recognised by the fee alone.
  /// - Throws: A `BadLine` if the amounts are inconsistent. In this case, nothing is added.
  func addImportRows(
    to rows: inout [ImportRow], _ resolver: inout NameResolver
  ) throws(BadLine) {
    let account = resolver.account(account, currency: amount.currency)
    if !parts.isEmpty { return rows.append(try split(account, &resolver)) }
    let base = try base()
    let size = Money(abs(base), amount.currency)
    if let name = target {
      let other = resolver.account(name, currency: targetAmount?.currency ?? size.currency)
      let transfer: Draft.Shape =
        isInflow
        ? .transfer(.init(targetAmount ?? size, from: other, to: account, targetAmount: size))
        : .transfer(.init(size, from: account, to: other, targetAmount: targetAmount))
      if fee == nil || base != 0 { rows.append(made(transfer)) }
      guard let fee else { return }
      return rows.append(made(entry(of: fee, account, &resolver), isFee: true))
    }
    if let fee, base == 0 { return rows.append(made(entry(of: fee, account, &resolver))) }
    let category = resolver.category(category, kind: isInflow ? .income : .expense)
    guard let fee else {
      return rows.append(
        made(
          .entry(
            .init(
              isInflow ? .income : .expense, original ?? size, account: account,
              category: category, accountAmount: original == nil ? nil : size))))
    }
    let parts = [
      Draft.Part(original ?? size, category),
      Draft.Part(
        Money(abs(fee.minorUnits), fee.currency),
        resolver.category(feeCategory, kind: .expense), isReversed: fee.minorUnits < 0),
    ]
    rows.append(
      made(
        .split(
          .init(
            account: account, kind: isInflow ? .income : .expense, parts: parts,
            accountAmount: original == nil ? nil : amount))))
  }

  /// Returns the row as a pending transaction of an account, without a category; `nil` if its amount
  /// is too large.
  func pendingRow(of account: AccountID) -> ImportRow? {
    guard amount.minorUnits != .min else { return nil }
    let entry = Draft.Entry(
      isInflow ? .income : .expense, Money(abs(amount.minorUnits), amount.currency),
      account: account, category: nil)
    return made(.entry(entry))
  }

  private func made(_ shape: Draft.Shape, isFee: Bool = false) -> ImportRow {
    var draft = Draft(
      shape, on: day, description: description, payee: payee, note: note, tags: tags,
      status: isPending ? .pending : isReconciled ? .reconciled : .cleared)
    // Of a transfer, the value day would be the day on which the other account gets the money.
    let isTransfer = target != nil && !isFee || parts.contains { $0.target != nil }
    draft.valueDay = valueDay == day || isTransfer ? nil : valueDay
    draft.code = code
    return ImportRow(
      draft, line: line, reference: isFee && !reference.isEmpty ? reference + " fee" : reference,
      statement: statement)
  }

  /// Returns the amount of the row without its fee.
  private func base() throws(BadLine) -> Int64 {
    let (units, isOver) = amount.minorUnits.addingReportingOverflow(fee?.minorUnits ?? 0)
    guard !isOver, units != .min, amount.minorUnits != .min else { throw tooLarge }
    return units
  }

  private var tooLarge: BadLine {
    BadLine(
      line: line, code: .amount, reason: "The amount is too large.",
      remedy: "Correct the amount, or divide the row into several.")
  }

  private func entry(
    of fee: Money, _ account: AccountID, _ resolver: inout NameResolver
  ) -> Draft.Shape {
    .entry(
      .init(
        fee.minorUnits > 0 ? .expense : .refund, Money(abs(fee.minorUnits), fee.currency),
        account: account, category: resolver.category(feeCategory, kind: .expense)))
  }

  /// Returns the transaction of a row that is split among several categories and other accounts.
  private func split(
    _ account: AccountID, _ resolver: inout NameResolver
  ) throws(BadLine) -> ImportRow {
    var rest = Int128(amount.minorUnits)
    for part in parts {
      guard part.amount.minorUnits != .min, part.amount.currency == amount.currency else {
        throw tooLarge
      }
      rest -= Int128(part.amount.minorUnits)
    }
    guard rest == 0 else {
      throw BadLine(
        line: line, code: .amount,
        reason:
          "The parts differ from the amount by \(Total(units: rest, currency: amount.currency)).",
        remedy: "Correct the parts, or the amount.")
    }
    var postings = [Posting(.account(account), amount)]
    for part in parts {
      let given = Money(-part.amount.minorUnits, amount.currency)
      let place: PostingAccount
      if let name = part.target {
        place = .account(resolver.account(name, currency: amount.currency))
      } else {
        let kind: CategoryKind = part.amount.minorUnits > 0 ? .income : .expense
        place = .category(
          resolver.anyCategory(part.category, kind: kind)
            ?? (kind == .income ? .uncategorizedIncome : .uncategorizedExpense))
      }
      postings.append(Posting(place, given, note: part.note))
    }
    return made(.postings(postings))
  }
}
