import Daybook

/// The plural names of entity kinds.
enum EntityNames {
  /// The plural name of a kind, such as `transactions`.
  static func plural(of kind: EntityKind) -> String {
    switch kind.rawValue {
    case 1: "settings"
    case 2: "accounts"
    case 3: "categories"
    case 4: "transactions"
    case 5: "rates"
    case 6: "budgets"
    case 7: "series"
    case 8: "rules"
    case 9: "assertions"
    case 10: "fingerprints"
    case 11: "currencies"
    case 12: "mappings"
    case 13: "allocations"
    case 14: "terms"
    case 32: "dismissals"
    default: "kind \(kind.rawValue)"
    }
  }
}
