/// Decides a command: applies its changes to `state` and returns the outcome, or refuses it.
///
/// The result is deterministic: the same state and command produce the same changes. New ids come
/// from the state.
///
/// - Throws: `Refusal`. The caller must discard the changes applied before the error.
package func decide(
  _ command: Command, on state: inout some BookkeepingState
) throws(Refusal) -> Outcome {
  // There is no `default`, so an unhandled command doesn't compile.
  switch command {
  case .record(let draft): try state.record(draft)
  case .amend(let id, let amendment): try state.amend(id, amendment)
  case .delete(let id): try state.delete(id)
  case .importRows(let rows, let options): try state.importRows(rows, options)
  case .reconcile(let ids): try state.reconcile(ids, .reconciled)
  case .unreconcile(let ids): try state.reconcile(ids, .cleared)
  case .openAccount(let new): try state.open(new)
  case .amendAccount(let id, let change): try state.amend(id, change)
  case .closeAccount(let id): try state.setClosed(id, true)
  case .reopenAccount(let id): try state.setClosed(id, false)
  case .deleteAccount(let id, let policy): try state.delete(id, policy)
  case .mergeAccounts(let id, let other): try state.merge(id, into: other)
  case .setOpening(let id, let opening, let day): try state.setOpening(id, opening, day)
  case .correctBalance(let id, let balance, let day, let correction):
    try state.correct(id, balance, on: day, by: correction)
  case .createCategory(let new): try state.create(new)
  case .amendCategory(let id, let change): try state.amend(id, change)
  case .deleteCategory(let id, let policy): try state.delete(id, policy)
  case .mergeCategories(let id, let other): try state.merge(id, into: other)
  case .closePeriod(let day): try state.close(through: day)
  case .reopenPeriod(let day): try state.reopen(after: day)
  case .setRate(let rate): try state.set(rate)
  case .removeRate(let base, let quoted, let day): try state.removeRate(base, quoted, day)
  case .setSettings(let change): try state.set(change)
  case .defineCurrency(let definition): try state.define(definition)
  case .assertBalance(let account, let balance, let day, let note, let id):
    try state.state(account, balance, on: day, note: note, id: id)
  case .removeAssertion(let id):
    try state.remove(BalanceAssertion.self, id.rawValue, "stated balance")
  case .putBudget(let budget): try state.put(budget)
  case .removeBudget(let id): try state.remove(Budget.self, id.rawValue, "budget")
  case .putSeries(let series): try state.put(series)
  case .removeSeries(let id, let withRows): try state.removeSeries(id, withRows: withRows)
  case .amendSeries(let series, let scope): try state.amend(series, scope)
  case .pauseSeries(let id, let day): try state.pause(id, after: day)
  case .resumeSeries(let id, let day): try state.resume(id, on: day)
  case .stopSeries(let id, let day): try state.stop(id, after: day)
  case .skipOccurrence(let link): try state.skip(link)
  case .unskipOccurrence(let link): try state.unskip(link)
  case .generateDue(let day): try state.generateDue(through: day)
  case .link(let id, let link): try state.link(id, link)
  case .unlink(let id): try state.unlink(id)
  case .linkTransfer(let id, let other): try state.linkTransfer(id, other)
  case .unlinkTransfer(let id): try state.unlinkTransfer(id)
  case .putRule(let rule): try state.put(rule)
  case .removeRule(let id): try state.remove(CategoryRule.self, id.rawValue, "rule")
  case .setRules(let rules): try state.setRules(rules)
  case .applyRules(let ids): try state.applyRules(to: ids)
  case .putMapping(let mapping): try state.put(mapping)
  case .assign(let amount, let category, let month):
    try state.assign(amount, to: category, in: month)
  case .assignPayment(let amount, let account, let month):
    try state.assign(amount, toPaymentOf: account, in: month)
  case .moveMoney(let amount, let source, let category, let month, let note, let id):
    try state.put(
      move: Allocation(
        id: id, month: month, category: category, source: source, amount: amount, note: note))
  case .removeMove(let id): try state.remove(move: id)
  case .setTerms(let terms): try state.put(terms)
  case .removeTerms(let account): try state.remove(termsOf: account)
  case .postInterest(let day, let account): try state.postInterest(through: day, on: account)
  case .payLoan(let payment): try state.pay(payment)
  case .repayLoan(let repayment): try state.repay(repayment)
  case .removeMapping(let id): try state.remove(SavedMapping.self, id.rawValue, "mapping")
  }
}
