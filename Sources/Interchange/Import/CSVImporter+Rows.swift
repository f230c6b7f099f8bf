import Daybook

extension CSVImporter {
  /// What a row of a file records: one transaction, or two where a transfer has a fee.
  ///
  /// A row is recognised by what its categories gain; a transfer with a fee in it would be recognised
  /// by its fee alone.
  static func importRows(
    _ row: StatementRow, _ resolver: inout NameResolver
  ) throws(BadLine) -> [ImportRow] {
    let account = resolver.account(row.account, currency: row.amount.currency)
    let base = try base(of: row)
    let size = Money(abs(base), row.amount.currency)
    func made(_ shape: Draft.Shape) -> ImportRow {
      ImportRow(
        Draft(
          shape, on: row.day, description: row.description, payee: row.payee, note: row.note,
          tags: row.tags),
        line: row.line)
    }
    if let name = row.target {
      let other = resolver.account(name, currency: row.targetAmount?.currency ?? size.currency)
      let transfer: Draft.Shape =
        row.isInflow
        ? .transfer(
          .init(row.targetAmount ?? size, from: other, to: account, targetAmount: size))
        : .transfer(.init(size, from: account, to: other, targetAmount: row.targetAmount))
      guard let fee = row.fee else { return [made(transfer)] }
      let charge = made(entry(of: fee, row, account, &resolver))
      return base == 0 ? [charge] : [made(transfer), charge]
    }
    if let fee = row.fee, base == 0 { return [made(entry(of: fee, row, account, &resolver))] }
    let category = resolver.category(row.category, kind: row.isInflow ? .income : .expense)
    guard let fee = row.fee else {
      return [
        made(
          .entry(
            .init(
              row.isInflow ? .income : .expense, row.original ?? size, account: account,
              category: category, accountAmount: row.original == nil ? nil : size)))
      ]
    }
    let parts = [
      Draft.Part(row.original ?? size, category),
      Draft.Part(
        Money(abs(fee.minorUnits), fee.currency),
        resolver.category(row.feeCategory, kind: .expense), isReversed: fee.minorUnits < 0),
    ]
    return [
      made(
        .split(
          .init(
            account: account, kind: row.isInflow ? .income : .expense, parts: parts,
            accountAmount: row.original == nil ? nil : row.amount)))
    ]
  }

  /// What the row moves but for its fee.
  private static func base(of row: StatementRow) throws(BadLine) -> Int64 {
    let (units, isOver) = row.amount.minorUnits.addingReportingOverflow(row.fee?.minorUnits ?? 0)
    guard !isOver, units != .min, row.amount.minorUnits != .min else {
      throw BadLine(
        line: row.line, code: .amount, reason: "The amount is larger than an amount can be.",
        remedy: "Amounts are 64-bit numbers of minor units; correct or split the row.")
    }
    return units
  }

  private static func entry(
    of fee: Money, _ row: StatementRow, _ account: AccountID, _ resolver: inout NameResolver
  ) -> Draft.Shape {
    .entry(
      .init(
        fee.minorUnits > 0 ? .expense : .refund, Money(abs(fee.minorUnits), fee.currency),
        account: account, category: resolver.category(row.feeCategory, kind: .expense)))
  }
}
