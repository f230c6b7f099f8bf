import Daybook

/// The fee of a transfer: a part of the transaction in a category.
struct TransferFee {
  /// The fee; if `nil`, it is the difference between the amounts sent and received.
  private var fee: Money?
  private var category: String?

  /// Reads the options; an amount without a code is in the currency `standard`.
  init(_ options: FeeOptions, _ standard: Currency?, _ snapshot: borrowing Snapshot) throws {
    category = options.feeCategory
    fee = try options.fee.map {
      try Amounts.size($0, in: standard, snapshot, of: "a fee") { _ in
        "Give the fee without a minus sign."
      }
    }
  }

  /// Returns the split that is a transfer with a fee.
  ///
  /// A fee in the sender's currency is paid on top of the amount. One in the receiver's currency is
  /// taken from what arrives.
  func shape(
    _ sent: Money, from sender: Account?, to receiver: Account, _ arriving: Money?, on day: Day,
    creating new: NewCategories, _ snapshot: borrowing Snapshot
  ) throws -> Draft.Shape {
    let isForeign = receiver.currency != sent.currency
    var (sent, arrives) = (sent, arriving ?? sent)
    if isForeign, arriving == nil {
      guard let money = try snapshot.convert(sent, to: receiver.currency, on: day) else {
        throw CommandFailure(
          .refused, code: "noRate",
          "Couldn't record the transfer: there is no rate between \(sent.currency) and "
            + "\(receiver.currency) on or before \(day).",
          remedy: "Add the amount received with --to-amount, or add a rate.")
      }
      arrives = money
    }
    guard arrives.currency == receiver.currency else {
      throw CommandFailure.usage(
        "Couldn't record the transfer: \(arrives) isn't in \(receiver.currency), the currency of "
          + "\(receiver.name).",
        remedy: "Give --to-amount in \(receiver.currency).")
    }
    let charged = try fee(sent, arrives, isForeign: isForeign)
    if isForeign, charged.currency == receiver.currency, arriving == nil {
      arrives = try arrives - charged
    } else if charged.currency == sent.currency, isForeign || arrives == sent {
      sent = try sent + charged
    }
    let found = try category.map { try new.id(of: $0, kind: .expense, in: snapshot) }
    return .split(
      Draft.Split(
        account: sender?.id, kind: .expense,
        parts: [Draft.Part(arrives, to: receiver.id), Draft.Part(charged, found)],
        accountAmount: isForeign && sender != nil ? try sent.negated() : nil))
  }

  private func fee(_ sent: Money, _ arrives: Money, isForeign: Bool) throws -> Money {
    guard let fee else {
      if !isForeign, arrives.minorUnits < sent.minorUnits { return try sent - arrives }
      throw CommandFailure.usage(
        "Couldn't record the transfer: the amounts \(sent) and \(arrives) leave no fee.",
        remedy: "Give the fee with --fee.")
    }
    guard fee.currency == sent.currency || fee.currency == arrives.currency else {
      throw CommandFailure.usage(
        "Couldn't record the transfer: the fee \(fee) isn't in the currency of either account.",
        remedy: "Give it in \(sent.currency).")
    }
    let isConsistent =
      isForeign || arrives == sent || (try? arrives + fee) == sent
    guard isConsistent else {
      throw CommandFailure.usage(
        "Couldn't record the transfer: \(arrives) received and a fee of \(fee) don't add up to "
          + "\(sent).",
        remedy: "Leave out --to-amount or --fee.")
    }
    return fee
  }
}
