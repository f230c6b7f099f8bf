extension Statement {
  /// Dates an opening balance to the first day that has a booked row, where the bank dates it earlier.
  ///
  /// Most banks date it by the closing of the statement before. The account holds it at the beginning
  /// of the first row's day in any case, and on the earlier day other rows may be booked.
  mutating func moveOpeningToFirstRow() {
    guard let opening, let first = rows.lazy.filter({ !$0.isPending }).map(\.day).min(),
      first > opening.day
    else { return }
    self.opening?.day = first
  }
}
