extension UpcomingPayment {
  /// Returns the transaction that records the payment, linked to its due date.
  ///
  /// - Parameter amount: The amount, in the currency of the series' amount; `nil` for the series'
  ///   amount.
  public func draft(amount: Money? = nil) -> Draft {
    let template = series.template
    let paid = amount ?? template.amount
    // A stated amount of the account belongs to the series' amount, so another one is converted.
    let moved = paid == template.amount ? template.accountAmount : nil
    let other = moved.flatMap { $0.currency == paid.currency ? nil : $0 }
    let shape: Draft.Shape =
      template.type == .transfer
      ? .transfer(
        Draft.Transfer(
          paid, from: template.account, to: template.otherAccount, targetAmount: other))
      : .entry(
        Draft.Entry(
          template.type == .income ? .income : .expense, paid, account: template.account,
          category: template.category, accountAmount: other))
    var draft = Draft(
      shape, on: day, id: TransactionID(of: series, due: due),
      description: series.rowDescription, payee: template.payee, note: template.note,
      tags: template.tags, status: template.isPending ? .pending : .cleared)
    draft.series = SeriesLink(series.id, due: due)
    return draft
  }
}
