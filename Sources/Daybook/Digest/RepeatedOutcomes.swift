internal import DaybookJournal

/// Reconstructs the outcomes of a repeated request's commands from the commit of the first request.
enum RepeatedOutcomes {
  static func read(_ commands: [Command], from commit: Commit) -> [Outcome] {
    var inserted: [EntityKind: [EntityID]] = [:]
    for change in commit.changes where change.operation == .insert {
      inserted[change.kind, default: []].append(change.id)
    }
    let removed = Set(commit.changes.lazy.filter { $0.operation == .delete }.map(\.id))
    // The order is reversed so that `popLast` takes the first entity.
    for kind in inserted.keys { inserted[kind]?.reverse() }
    var recordCount = commands.reduce(0) { count, command in
      switch command {
      case .record, .unlinkTransfer, .repayLoan: count + 1
      case .payLoan(let payment): payment.transaction == nil ? count + 1 : count
      default: count
      }
    }
    // The import or generation inserted all remaining transactions except those of later commands
    // that record one.
    func rest(_ recordCount: Int) -> [TransactionID] {
      var recorded: [TransactionID] = []
      while let rest = inserted[.transaction], rest.count > recordCount {
        guard let id = inserted[.transaction]?.popLast() else { break }
        recorded.append(TransactionID(id))
      }
      return recorded
    }
    // If nothing was inserted, an existing entity was changed.
    func put<Owner>(_ kind: EntityKind, _ id: Identifier<Owner>) -> Outcome {
      guard id == .unassigned || inserted[kind]?.last == id.rawValue,
        let made = inserted[kind]?.popLast()
      else { return .entity(kind, id.rawValue) }
      return .entity(kind, made)
    }
    return commands.map { command in
      switch command {
      case .openAccount:
        return inserted[.account]?.popLast().map { .account(AccountID($0)) } ?? .done
      case .createCategory:
        return inserted[.category]?.popLast().map { .category(CategoryID($0)) } ?? .done
      case .payLoan(let payment) where payment.transaction != nil:
        return payment.transaction.map { .transaction($0) } ?? .done
      case .record, .payLoan, .repayLoan:
        recordCount -= 1
        return inserted[.transaction]?.popLast().map { .transaction(TransactionID($0)) } ?? .done
      case .correctBalance(_, _, _, .transaction):
        // If the balance was already correct, no transaction was inserted. If there are several
        // corrections, the commit doesn't show which of them inserted a transaction.
        guard let rest = inserted[.transaction], rest.count > recordCount else { return .done }
        return inserted[.transaction]?.popLast().map { .transaction(TransactionID($0)) } ?? .done
      case .correctBalance(let account, _, _, .opening): return .account(account)
      case .importRows: return .imported(ImportReport(recorded: rest(recordCount)))
      case .generateDue, .resumeSeries, .postInterest:
        var report = GenerationReport()
        report.recorded = rest(recordCount)
        return .generated(report)
      case .putBudget(let budget): return put(.budget, budget.id)
      case .putSeries(let series): return put(.series, series.id)
      case .putRule(let rule): return put(.rule, rule.id)
      case .putMapping(let mapping): return put(.mapping, mapping.id)
      case .assertBalance(_, _, _, _, let id): return put(.assertion, id)
      case .assign(_, let category, let month):
        return put(.allocation, AllocationID.assignment(of: category, in: month))
      case .assignPayment(_, let account, let month):
        return put(.allocation, AllocationID.assignment(of: account, in: month))
      case .moveMoney(_, _, _, _, _, let id): return put(.allocation, id)
      case .setRules(let rules):
        for rule in rules { _ = put(.rule, rule.id) }
        return .done
      // These outcomes follow from the command alone.
      case .amendAccount(let id, _), .closeAccount(let id), .reopenAccount(let id),
        .setOpening(let id, _, _):
        return .account(id)
      case .amendCategory(let id, _): return .category(id)
      case .amend(let id, _), .delete(let id), .link(let id, _), .unlink(let id):
        return .transaction(id)
      // The removed transaction is the half that received the money.
      case .linkTransfer(let id, let other):
        return .transaction(removed.contains(id.rawValue) ? other : id)
      case .unlinkTransfer(let id):
        recordCount -= 1
        _ = inserted[.transaction]?.popLast()
        return .transaction(id)
      case .removeAssertion(let id): return .entity(.assertion, id.rawValue)
      case .removeBudget(let id): return .entity(.budget, id.rawValue)
      case .removeRule(let id): return .entity(.rule, id.rawValue)
      case .removeMapping(let id): return .entity(.mapping, id.rawValue)
      case .setTerms(let terms): return .entity(.terms, terms.entityID)
      case .removeTerms(let id): return .entity(.terms, TermsID(of: id).rawValue)
      case .removeMove(let id): return .entity(.allocation, id.rawValue)
      case .setRate(let rate): return .entity(.rate, rate.entityID)
      case .removeRate(let base, let quoted, let day):
        return .entity(.rate, ExchangeRate.id(base: base, quoted: quoted, day: day).rawValue)
      case .defineCurrency(let definition): return .entity(.currency, definition.entityID)
      case .amendSeries(let series, _): return .entity(.series, series.entityID)
      case .pauseSeries(let id, _), .stopSeries(let id, _): return .entity(.series, id.rawValue)
      case .skipOccurrence(let link), .unskipOccurrence(let link):
        return .entity(.series, link.series.rawValue)
      // The number of changed rows isn't stored.
      case .deleteAccount, .deleteCategory, .mergeAccounts, .mergeCategories, .removeSeries,
        .applyRules,
        .reconcile, .unreconcile, .closePeriod, .reopenPeriod, .setSettings:
        return .done
      }
    }
  }
}
