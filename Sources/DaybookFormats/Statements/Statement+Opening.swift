extension Statement {
  /// Moves the day of the opening balance forward to the first day that has a booked row.
  ///
  /// Most banks date the opening balance to the day on which the previous statement closed. In any
  /// case, the account has this balance at the beginning of the first row's day, and there may be
  /// other transactions on the earlier day.
  mutating func moveOpeningToFirstRow() {
    guard let opening, let first = rows.lazy.filter({ !$0.isPending }).map(\.day).min(),
      first > opening.day
    else { return }
    self.opening?.day = first
  }
}
