extension Command {
  /// Reads `{"name of the command": {members}}`.
  ///
  /// - Throws: `DecodingError` if there is no such command, or a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: MemberName.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "a command is an object with one member, named after the command"))
    }
    guard let name = Name(rawValue: key.stringValue) else {
      throw container.fault(
        key, "“\(key.stringValue.excerpt)” isn't one of the commands in Docs/JSON.md")
    }
    self = try Command.read(name, from: container.superDecoder(forKey: key))
  }

  private static func read(_ name: Name, from decoder: any Decoder) throws -> Command {
    let members = try decoder.container(keyedBy: Key.self)
    func whole<Value: Decodable>() throws -> Value { try Value(from: decoder) }
    func member<Value: Decodable>(_ key: Key) throws -> Value {
      try members.decode(Value.self, forKey: key)
    }
    return switch name {
    case .openAccount: .openAccount(try whole())
    case .amendAccount: .amendAccount(try member(.account), try whole())
    case .closeAccount: .closeAccount(try member(.account))
    case .reopenAccount: .reopenAccount(try member(.account))
    case .deleteAccount: .deleteAccount(try member(.account), try member(.rows))
    case .mergeAccounts: .mergeAccounts(try member(.account), into: try member(.into))
    case .setOpening:
      .setOpening(try member(.account), try member(.opening), try members.take(.openingDay))
    case .correctBalance:
      .correctBalance(
        try member(.account), try member(.balance), on: try member(.day),
        by: try correction(members))
    case .createCategory: .createCategory(try whole())
    case .amendCategory: .amendCategory(try member(.category), try whole())
    case .deleteCategory: .deleteCategory(try member(.category), try members.take(.rows))
    case .mergeCategories: .mergeCategories(try member(.category), into: try member(.into))
    case .record: .record(try whole())
    case .amend: .amend(try member(.transaction), try whole())
    case .delete: .delete(try member(.transaction))
    case .reconcile: .reconcile(try member(.transactions))
    case .unreconcile: .unreconcile(try member(.transactions))
    case .closePeriod: .closePeriod(through: try member(.through))
    case .reopenPeriod: .reopenPeriod(after: try members.take(.after))
    case .setRate: .setRate(try whole())
    case .removeRate:
      .removeRate(base: try member(.base), quoted: try member(.quoted), on: try member(.day))
    case .setSettings: .setSettings(try whole())
    case .defineCurrency: .defineCurrency(try whole())
    case .assertBalance:
      .assertBalance(
        try member(.account), try member(.balance), on: try member(.day),
        note: try members.take(.note), id: try members.take(.id, or: .unassigned))
    case .removeAssertion: .removeAssertion(try member(.assertion))
    case .putBudget: .putBudget(try whole())
    case .removeBudget: .removeBudget(try member(.budget))
    case .putSeries: .putSeries(try whole())
    case .amendSeries: .amendSeries(try member(.series), try member(.scope))
    case .removeSeries:
      .removeSeries(try member(.series), withRows: try members.take(.withRows))
    case .pauseSeries: .pauseSeries(try member(.series), after: try member(.after))
    case .resumeSeries: .resumeSeries(try member(.series), on: try member(.on))
    case .stopSeries: .stopSeries(try member(.series), after: try member(.after))
    case .skipOccurrence: .skipOccurrence(try whole())
    case .unskipOccurrence: .unskipOccurrence(try whole())
    case .generateDue: .generateDue(through: try member(.through))
    case .link: .link(try member(.transaction), try whole())
    case .unlink: .unlink(try member(.transaction))
    case .linkTransfer: .linkTransfer(try member(.transaction), try member(.other))
    case .unlinkTransfer: .unlinkTransfer(try member(.transaction))
    case .putRule: .putRule(try whole())
    case .removeRule: .removeRule(try member(.rule))
    case .setRules: .setRules(try member(.rules))
    case .applyRules: .applyRules(try members.take(.rules) as [RuleID]?)
    case .putMapping: .putMapping(try whole())
    case .removeMapping: .removeMapping(try member(.mapping))
    case .assign:
      .assign(try member(.amount), to: try member(.category), in: try member(.month))
    case .assignPayment:
      .assignPayment(try member(.amount), to: try member(.account), in: try member(.month))
    case .moveMoney:
      .moveMoney(
        try member(.amount), from: try members.take(.from), to: try members.take(.to),
        in: try member(.month), note: try members.take(.note),
        id: try members.take(.id, or: .unassigned))
    case .removeMove: .removeMove(try member(.move))
    case .setTerms: .setTerms(try whole())
    case .removeTerms: .removeTerms(try member(.account))
    case .postInterest:
      .postInterest(through: try member(.through), account: try members.take(.account))
    case .payLoan: .payLoan(try whole())
    case .repayLoan: .repayLoan(try whole())
    case .importRows: .importRows(try member(.rows), try whole())
    }
  }

  private static func correction(
    _ members: KeyedDecodingContainer<Key>
  ) throws -> BalanceCorrection {
    switch try members.take(.by, or: "transaction") {
    case "opening": return .opening
    case "transaction":
      return .transaction(
        category: try members.take(.category), description: try members.take(.description))
    case let other:
      throw members.fault(
        .by, "“\(other.excerpt)” is neither “transaction” nor “opening”")
    }
  }
}
