public import Daybook
public import Observation

/// The form for an expense: what is typed, and whether it can be saved.
@MainActor @Observable public final class NewExpense {
  /// The amount as typed.
  public var amountText = ""
  /// The account.
  public var account: Account?
  /// The category; `nil` to choose it later.
  public var category: CategoryID?
  /// The payee.
  public var payee = ""
  /// The day.
  public var day: Day
  /// The error of the last attempt to save, for an alert.
  public private(set) var problem: DaybookError?
  private let decimalMark: Character
  /// Identifies the expense, so that saving twice records it once.
  private var id = TransactionID.random()

  /// An empty form.
  ///
  /// - Parameter decimalMark: The mark of the user's locale.
  public init(day: Day, decimalMark: Character = ".") {
    self.day = day
    self.decimalMark = decimalMark
  }

  /// The amount, or `nil` if it isn't one yet.
  ///
  /// Show it next to the field before saving.
  public var amount: Money? {
    guard let account else { return nil }
    let amount = try? Money.parse(
      amountText, currency: account.currency, decimalMark: decimalMark)
    return amount.flatMap { $0.minorUnits > 0 ? $0 : nil }
  }

  /// Records the expense, and empties the form for the next one.
  ///
  /// - Returns: Whether it was recorded.
  public func save(in ledger: Ledger) async -> Bool {
    guard let account, let amount else { return false }
    do throws(DaybookError) {
      let draft = Draft.expense(
        amount, from: account.id, category: category, on: day, id: id, payee: payee)
      try await ledger.append([.record(draft)], key: "\(id)")
      (amountText, payee, problem, id) = ("", "", nil, .random())
      return true
    } catch {
      problem = error
      return false
    }
  }
}
