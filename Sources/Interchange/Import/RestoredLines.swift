import Daybook

/// The lines of a JSON export as they are written, before their texts are understood.
enum RestoredLines {
  struct Kind: Decodable {
    var type: String
    var version: Int?
  }

  struct SettingsLine: Decodable {
    var number: UInt64
    var baseCurrency: String?
    var firstWeekday: Int?
    var closedThrough: Day?
    var mergePolicy: String?
  }

  struct CurrencyLine: Decodable {
    var number: UInt64
    var code: String
    var digits: Int?
    var name: String?
  }

  struct AccountLine: Decodable {
    var id: AccountID
    var number: UInt64
    var name: String
    var kind: String
    var currency: String
    var opening: String?
    var openingDay: Day?
    var closed: Bool?
    var hidden: Bool?
    var deleted: Bool?
    var note: String?
    var order: Int64?
  }

  struct CategoryLine: Decodable {
    var id: CategoryID
    var number: UInt64
    var name: String
    var kind: String
    var parent: CategoryID?
    var hidden: Bool?
    var deleted: Bool?
    var note: String?
    var order: Int64?
  }

  struct RateLine: Decodable {
    var number: UInt64
    var base: String
    var quoted: String
    var day: Day
    var rate: String
  }

  struct PostingLine: Decodable {
    var account: AccountID?
    var category: CategoryID?
    var amount: String
    var currency: String
    var note: String?
  }

  struct TransactionLine: Decodable {
    var id: TransactionID
    var number: UInt64
    var day: Day
    var status: String?
    var description: String?
    var payee: String?
    var note: String?
    var tags: [String]?
    var imported: Bool?
    var reference: String?
    var original: EntityID?
    var series: SeriesID?
    var occurrence: Day?
    var categorizedBy: RuleID?
    var postings: [PostingLine]
  }

  struct AssertionLine: Decodable {
    var id: AssertionID
    var number: UInt64
    var account: AccountID
    var day: Day
    var units: Int64?
    var note: String?
  }

  struct FingerprintLine: Decodable {
    var id: EntityID
    var number: UInt64
    var changed: Int64?
    var deleted: Int64?
  }

  struct StepLine: Decodable {
    var day: Day
    var units: Int64?
  }

  struct BudgetLine: Decodable {
    var id: BudgetID
    var number: UInt64
    var name: String
    var categories: [CategoryID]?
    var withoutSubcategories: Bool?
    var amount: String
    var currency: String
    var period: String
    var resetDay: Int?
    var periodStart: Day?
    var periodEnd: Day?
    var rollover: String?
    var start: Day?
    var end: Day?
    var steps: [StepLine]?
    var archived: Bool?
    var note: String?
    var order: Int64?
  }

  struct TemplateLine: Decodable {
    var type: String
    var amount: String
    var currency: String
    var account: AccountID?
    var category: CategoryID?
    var otherAccount: AccountID?
    var accountUnits: String?
    var description: String?
    var payee: String?
    var note: String?
    var tags: [String]?
    var pending: Bool?
  }

  struct SeriesLine: Decodable {
    var id: SeriesID
    var number: UInt64
    var name: String
    var template: TemplateLine
    var every: Int
    var unit: String
    var monthEnd: String?
    var anchor: Day
    var end: Day?
    var countMax: Int64?
    var pausedFrom: Day?
    var skipped: [String]?
    var ahead: Int64?
  }

  struct ConditionLine: Decodable {
    var field: String?
    var match: String?
    var text: String?
    var account: AccountID?
    var from: String?
    var through: String?
    var currency: String?
    var type: String?
  }

  struct RuleLine: Decodable {
    var id: RuleID
    var number: UInt64
    var name: String?
    var order: Int64?
    var disabled: Bool?
    var matchesAny: Bool?
    var conditions: [ConditionLine]?
    var category: CategoryID?
    var description: String?
    var tags: [String]?
    var continues: Bool?
  }

  struct MappingLine: Decodable {
    var id: MappingID
    var number: UInt64
    var name: String
    var contents: String
    var delimiter: String?
    var header: [String]?
    var columnCount: Int?
    var account: AccountID?
  }
}
