/// The names of the XML elements that Daybook reads, without their prefixes.
///
/// The meaning of a name depends on the enclosing element.
enum GnuCashElement: String, CaseIterable, Sendable {
  // The book and its parts.
  case root = "gnc-v2"
  case book
  case count = "count-data"
  case commodity
  case prices = "pricedb"
  case price
  case account
  case transaction
  case templates = "template-transactions"
  case schedule = "schedxaction"
  case budget

  // Elements that occur in several parts of the book.
  case id
  case name
  case description
  case slots
  case slot
  case key
  case value
  case currency
  case space
  case notes

  // Commodities and prices.
  case fraction
  case time

  // Accounts.
  case type
  case unit = "commodity-scu"
  case code
  case parent

  // Transactions and splits.
  case number = "num"
  case posted = "date-posted"
  case splits
  case split
  case memo
  case action
  case state = "reconciled-state"
  case quantity

  // Schedules and budgets.
  case enabled
  case start
  case last
  case end
  case remaining = "rem-occur"
  case templateAccount = "templ-acct"
  case when = "schedule"
  case oldWhen = "freqspec"
  case recurrence
  case multiplier = "mult"
  case period = "period_type"
  case weekend = "weekend_adj"
  case periodCount = "num-periods"
}
