import Daybook

/// The commands that assign to several envelopes at once.
enum EnvelopeFilling {
  /// Returns the commands that assign what goals still need in a month.
  ///
  /// - Parameter category: The only category; `nil` for all.
  static func missing(in month: EnvelopeMonth, _ category: CategoryID? = nil) -> [Command] {
    month.envelopes.compactMap { envelope in
      guard category == nil || envelope.category.id == category, !envelope.category.isDeleted,
        let needed = envelope.needed, needed.units > 0
      else { return nil }
      let units = envelope.assigned.units + needed.units
      return money(units, needed.currency).map {
        .assign($0, to: envelope.category.id, in: month.month)
      }
    }
  }

  /// Returns the commands that repeat a month's assigned amounts in another one, where nothing is
  /// assigned yet.
  static func repeating(_ before: EnvelopeMonth, in month: EnvelopeMonth) -> [Command] {
    let used = Set(month.envelopes.filter { $0.assigned.units != 0 }.map(\.category.id))
    let paid = Set(month.payments.filter { $0.assigned.units != 0 }.map(\.account.id))
    let envelopes = before.envelopes.compactMap { envelope -> Command? in
      let category = envelope.category
      guard envelope.assigned.units != 0, !category.isDeleted, !used.contains(category.id) else {
        return nil
      }
      return money(envelope.assigned.units, envelope.assigned.currency).map {
        .assign($0, to: category.id, in: month.month)
      }
    }
    return envelopes
      + before.payments.compactMap { payment in
        let card = payment.account
        guard payment.assigned.units != 0, !card.isDeleted, !paid.contains(card.id) else {
          return nil
        }
        return money(payment.assigned.units, payment.assigned.currency).map {
          .assignPayment($0, to: card.id, in: month.month)
        }
      }
  }

  static func money(_ units: Int128, _ currency: Currency) -> Money? {
    Int64(exactly: units).map { Money($0, currency) }
  }
}
