// JSON forms of commands: an object with one member, named after the command; see Docs/JSON.md.

extension Command: Codable {
  /// The names of commands in JSON.
  enum Name: String, CodingKey, CaseIterable {
    case openAccount, amendAccount, closeAccount, reopenAccount, deleteAccount, mergeAccounts
    case setOpening, correctBalance
    case createCategory, amendCategory, deleteCategory, mergeCategories
    case record, amend, delete, reconcile, unreconcile
    case closePeriod, reopenPeriod
    case setRate, removeRate, setSettings, defineCurrency
    case assertBalance, removeAssertion
    case putBudget, removeBudget
    case putSeries, amendSeries, removeSeries, pauseSeries, resumeSeries, stopSeries
    case skipOccurrence, unskipOccurrence, generateDue, link, unlink
    case linkTransfer, unlinkTransfer
    case putRule, removeRule, setRules, applyRules
    case putMapping, removeMapping
    case assign, assignPayment, moveMoney, removeMove
    case setTerms, removeTerms, postInterest, payLoan, repayLoan
    case importRows
  }

  /// The members of commands, except members of the values that commands add or change.
  enum Key: String, CodingKey {
    case account, category, transaction, transactions, rows, balance, day, note, id, through, after
    case on, base, quoted, assertion, budget, series, scope, withRows, rule, rules, mapping
    case opening, openingDay, by, description, into, other, month, amount, from, to, move
  }

  /// Writes `{"name of the command": {members}}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    func put(
      _ name: Name, whole value: (any Encodable)? = nil,
      _ body: (inout KeyedEncodingContainer<Key>) throws -> Void = { _ in }
    ) throws {
      let inner = container.superEncoder(forKey: name)
      var members = inner.container(keyedBy: Key.self)
      try body(&members)
      try value?.encode(to: inner)
    }
    switch self {
    case .openAccount(let new): try put(.openAccount, whole: new)
    case .amendAccount(let id, let change):
      try put(.amendAccount, whole: change) { try $0.put(id, .account) }
    case .closeAccount(let id): try put(.closeAccount) { try $0.put(id, .account) }
    case .reopenAccount(let id): try put(.reopenAccount) { try $0.put(id, .account) }
    case .deleteAccount(let id, let policy):
      try put(.deleteAccount) {
        try $0.put(id, .account)
        try $0.put(policy, .rows)
      }
    case .mergeAccounts(let id, let other):
      try put(.mergeAccounts) {
        try $0.put(id, .account)
        try $0.put(other, .into)
      }
    case .setOpening(let id, let opening, let day):
      try put(.setOpening) {
        try $0.put(id, .account)
        try $0.put(opening, .opening)
        try $0.put(day, .openingDay)
      }
    case .correctBalance(let id, let balance, let day, let correction):
      try put(.correctBalance) {
        try $0.put(id, .account)
        try $0.put(day, .day)
        try $0.put(balance, .balance)
        switch correction {
        case .opening: try $0.put("opening", .by)
        case .transaction(let category, let description):
          try $0.put("transaction", .by)
          try $0.put(category, .category)
          try $0.put(description, .description)
        }
      }
    case .createCategory(let new): try put(.createCategory, whole: new)
    case .amendCategory(let id, let change):
      try put(.amendCategory, whole: change) { try $0.put(id, .category) }
    case .deleteCategory(let id, let policy):
      try put(.deleteCategory) {
        try $0.put(id, .category)
        try $0.put(policy, .rows)
      }
    case .mergeCategories(let id, let other):
      try put(.mergeCategories) {
        try $0.put(id, .category)
        try $0.put(other, .into)
      }
    case .record(let draft): try put(.record, whole: draft)
    case .amend(let id, let amendment):
      try put(.amend, whole: amendment) { try $0.put(id, .transaction) }
    case .delete(let id): try put(.delete) { try $0.put(id, .transaction) }
    case .reconcile(let ids): try put(.reconcile) { try $0.encode(ids, forKey: .transactions) }
    case .unreconcile(let ids): try put(.unreconcile) { try $0.encode(ids, forKey: .transactions) }
    case .closePeriod(let day): try put(.closePeriod) { try $0.put(day, .through) }
    case .reopenPeriod(let day): try put(.reopenPeriod) { try $0.put(day, .after) }
    case .setRate(let rate): try put(.setRate, whole: rate)
    case .removeRate(let base, let quoted, let day):
      try put(.removeRate) {
        try $0.put(base, .base)
        try $0.put(quoted, .quoted)
        try $0.put(day, .day)
      }
    case .setSettings(let change): try put(.setSettings, whole: change)
    case .defineCurrency(let definition): try put(.defineCurrency, whole: definition)
    case .assertBalance(let account, let balance, let day, let note, let id):
      try put(.assertBalance) {
        if id != .unassigned { try $0.put(id, .id) }
        try $0.put(account, .account)
        try $0.put(day, .day)
        try $0.put(balance, .balance)
        try $0.put(note, .note)
      }
    case .removeAssertion(let id): try put(.removeAssertion) { try $0.put(id, .assertion) }
    case .putBudget(let budget): try put(.putBudget, whole: budget)
    case .removeBudget(let id): try put(.removeBudget) { try $0.put(id, .budget) }
    case .putSeries(let series): try put(.putSeries, whole: series)
    case .amendSeries(let series, let scope):
      try put(.amendSeries) {
        try $0.put(series, .series)
        try $0.put(scope, .scope)
      }
    case .removeSeries(let id, let withRows):
      try put(.removeSeries) {
        try $0.put(id, .series)
        try $0.put(withRows, .withRows)
      }
    case .pauseSeries(let id, let day):
      try put(.pauseSeries) {
        try $0.put(id, .series)
        try $0.put(day, .after)
      }
    case .resumeSeries(let id, let day):
      try put(.resumeSeries) {
        try $0.put(id, .series)
        try $0.put(day, .on)
      }
    case .stopSeries(let id, let day):
      try put(.stopSeries) {
        try $0.put(id, .series)
        try $0.put(day, .after)
      }
    case .skipOccurrence(let link): try put(.skipOccurrence, whole: link)
    case .unskipOccurrence(let link): try put(.unskipOccurrence, whole: link)
    case .generateDue(let day): try put(.generateDue) { try $0.put(day, .through) }
    case .link(let id, let link): try put(.link, whole: link) { try $0.put(id, .transaction) }
    case .unlink(let id): try put(.unlink) { try $0.put(id, .transaction) }
    case .linkTransfer(let id, let other):
      try put(.linkTransfer) {
        try $0.put(id, .transaction)
        try $0.put(other, .other)
      }
    case .unlinkTransfer(let id): try put(.unlinkTransfer) { try $0.put(id, .transaction) }
    case .putRule(let rule): try put(.putRule, whole: rule)
    case .removeRule(let id): try put(.removeRule) { try $0.put(id, .rule) }
    case .setRules(let rules): try put(.setRules) { try $0.encode(rules, forKey: .rules) }
    case .applyRules(let ids):
      try put(.applyRules) { try $0.put(ids as [RuleID]?, .rules) }
    case .putMapping(let mapping): try put(.putMapping, whole: mapping)
    case .removeMapping(let id): try put(.removeMapping) { try $0.put(id, .mapping) }
    case .assign(let amount, let category, let month):
      try put(.assign) {
        try $0.put(category, .category)
        try $0.put(month, .month)
        try $0.put(amount, .amount)
      }
    case .assignPayment(let amount, let account, let month):
      try put(.assignPayment) {
        try $0.put(account, .account)
        try $0.put(month, .month)
        try $0.put(amount, .amount)
      }
    case .moveMoney(let amount, let source, let category, let month, let note, let id):
      try put(.moveMoney) {
        if id != .unassigned { try $0.put(id, .id) }
        try $0.put(month, .month)
        try $0.put(source as CategoryID?, .from)
        try $0.put(category as CategoryID?, .to)
        try $0.put(amount, .amount)
        try $0.put(note, .note)
      }
    case .removeMove(let id): try put(.removeMove) { try $0.put(id, .move) }
    case .setTerms(let terms): try put(.setTerms, whole: terms)
    case .removeTerms(let id): try put(.removeTerms) { try $0.put(id, .account) }
    case .postInterest(let day, let account):
      try put(.postInterest) {
        try $0.put(day, .through)
        try $0.put(account as AccountID?, .account)
      }
    case .payLoan(let payment): try put(.payLoan, whole: payment)
    case .repayLoan(let repayment): try put(.repayLoan, whole: repayment)
    case .importRows(let rows, let options):
      try put(.importRows, whole: options) { try $0.encode(rows, forKey: .rows) }
    }
  }
}
