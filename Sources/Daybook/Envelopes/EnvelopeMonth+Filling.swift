// Commands that assign to several envelopes at once.

extension EnvelopeMonth {
  /// Returns the commands that assign what goals still need in the month.
  ///
  /// - Parameter category: The only category; `nil` for all.
  public func commandsForGoals(of category: CategoryID? = nil) -> [Command] {
    envelopes.compactMap { envelope in
      guard category == nil || envelope.category.id == category, !envelope.category.isDeleted,
        let needed = envelope.needed, needed.units > 0
      else { return nil }
      return EnvelopeMonth.money(
        Total(units: envelope.assigned.units + needed.units, currency: needed.currency)
      ).map { .assign($0, to: envelope.category.id, in: month) }
    }
  }

  /// Returns the commands that repeat the assigned amounts of another month, to categories and
  /// cards to which nothing is assigned in this one.
  ///
  /// - Parameters:
  ///   - other: The month to repeat, such as the previous one.
  ///   - category: The only category; `nil` for all categories and cards.
  public func commandsRepeating(
    _ other: EnvelopeMonth, of category: CategoryID? = nil
  ) -> [Command] {
    let used = Set(envelopes.filter { $0.assigned.units != 0 }.map(\.category.id))
    let paid = Set(payments.filter { $0.assigned.units != 0 }.map(\.account.id))
    let assignments = other.envelopes.compactMap { envelope -> Command? in
      let id = envelope.category.id
      guard envelope.assigned.units != 0, !envelope.category.isDeleted, !used.contains(id),
        category == nil || category == id
      else { return nil }
      return EnvelopeMonth.money(envelope.assigned).map { .assign($0, to: id, in: month) }
    }
    if category != nil { return assignments }
    return assignments
      + other.payments.compactMap { payment in
        let card = payment.account
        guard payment.assigned.units != 0, !card.isDeleted, !paid.contains(card.id) else {
          return nil
        }
        return EnvelopeMonth.money(payment.assigned).map {
          .assignPayment($0, to: card.id, in: month)
        }
      }
  }

  private static func money(_ total: Total) -> Money? {
    Int64(exactly: total.units).map { Money($0, total.currency) }
  }
}
