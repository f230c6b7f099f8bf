extension CanonicalWriter {
  /// A command: its number, what it is about, 0.
  ///
  /// One switch without a default, so that the compiler asks for a number for every new command.
  mutating func put(_ command: Command) {
    switch command {
    case .openAccount(let new): nest(1) { $0.put(new) }
    case .amendAccount(let id, let change):
      nest(2) {
        $0.put(1, id)
        $0.put(change)
      }
    case .closeAccount(let id): nest(3) { $0.put(1, id) }
    case .reopenAccount(let id): nest(4) { $0.put(1, id) }
    case .deleteAccount(let id, let policy):
      nest(5) {
        $0.put(1, id)
        $0.put(policy)
      }
    case .setOpening(let id, let units, let day):
      nest(6) {
        $0.put(1, id)
        $0.put(2, number: units)
        $0.put(3, day)
      }
    case .createCategory(let new): nest(7) { $0.put(new) }
    case .amendCategory(let id, let change):
      nest(8) {
        $0.put(1, id)
        $0.put(change)
      }
    case .deleteCategory(let id, let policy):
      nest(9) {
        $0.put(1, id)
        if let policy { $0.put(policy) }
      }
    case .record(let draft): nest(10) { $0.put(draft) }
    case .amend(let id, let amendment):
      nest(11) {
        $0.put(1, id)
        $0.put(amendment)
      }
    case .delete(let id): nest(12) { $0.put(1, id) }
    case .reconcile(let ids): nest(13) { $0.put(2, each: ids) { $0.put(1, $1) } }
    case .unreconcile(let ids): nest(14) { $0.put(2, each: ids) { $0.put(1, $1) } }
    case .importRows(let rows, let options):
      nest(15) {
        $0.put(1, each: rows) { $0.put($1) }
        $0.put(2, flag: options.skipsBadRows)
        $0.put(3, flag: options.restoresDeleted)
        $0.put(4, flag: options.keepsDuplicates)
      }
    case .closePeriod(let day): nest(16) { $0.put(1, day) }
    case .reopenPeriod(let day): nest(17) { $0.put(1, day) }
    case .setRate(let rate): nest(18) { $0.put(1, rate) }
    case .removeRate(let base, let quoted, let day):
      nest(19) {
        $0.put(1, base)
        $0.put(2, quoted)
        $0.put(3, day)
      }
    case .setSettings(let change): nest(20) { $0.put(change) }
    case .defineCurrency(let definition): nest(21) { $0.put(1, definition) }
    case .assertBalance(let assertion): nest(22) { $0.put(1, assertion) }
    case .removeAssertion(let id): nest(23) { $0.put(1, id) }
    case .putBudget(let budget): nest(24) { $0.put(1, budget) }
    case .removeBudget(let id): nest(25) { $0.put(1, id) }
    case .putSeries(let series): nest(26) { $0.put(1, series) }
    case .removeSeries(let id, let withRows):
      nest(27) {
        $0.put(1, id)
        $0.put(2, flag: withRows)
      }
    case .putRule(let rule): nest(28) { $0.put(1, rule) }
    case .removeRule(let id): nest(29) { $0.put(1, id) }
    case .setRules(let rules):
      nest(39) { for rule in rules { $0.put(1, rule) } }
    case .applyRules(let ids):
      nest(40) { writer in
        writer.put(1, flag: ids != nil)
        for id in ids ?? [] { writer.put(2, id) }
      }
    case .putMapping(let mapping): nest(41) { $0.put(1, mapping) }
    case .removeMapping(let id): nest(42) { $0.put(1, id) }
    case .amendSeries(let series, let scope):
      nest(30) {
        $0.put(1, series)
        $0.put(scope)
      }
    case .pauseSeries(let id, let day): put(31, id, day)
    case .resumeSeries(let id, let day): put(32, id, day)
    case .stopSeries(let id, let day): put(33, id, day)
    case .skipOccurrence(let link): nest(34) { $0.put(link) }
    case .unskipOccurrence(let link): nest(35) { $0.put(link) }
    case .generateDue(let day): nest(36) { $0.put(1, day) }
    case .link(let id, let link):
      nest(37) {
        $0.put(1, id)
        $0.nest(2) { $0.put(link) }
      }
    case .unlink(let id): nest(38) { $0.put(1, id) }
    }
  }

  private mutating func put(_ number: UInt8, _ id: SeriesID, _ day: Day) {
    nest(number) {
      $0.put(1, id)
      $0.put(2, day)
    }
  }
}
