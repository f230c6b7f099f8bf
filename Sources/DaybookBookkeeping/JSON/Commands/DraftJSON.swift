// JSON forms of transactions to record; see Docs/JSON.md.

extension Draft: Codable {
  enum Key: String, CodingKey {
    case day, id, imported, importReference, series, occurrence, categorizedBy, converted
  }

  /// Writes the members of a transaction, with the shape under its name instead of postings.
  ///
  /// For example: `{"day": …, "expense": {"amount": …}, "payee": …}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(id, .id)
    try container.encode(day, forKey: .day)
    try details.encode(..<Tag.Transaction.postings, to: encoder)
    try shape.encode(to: encoder)
    try details.encode(Tag.Transaction.postings..<Tag.Transaction.importMark, to: encoder)
    if let importIdentity {
      try container.encode(ImportMark(original: importIdentity.original), forKey: .imported)
      try container.put(importIdentity.reference, .importReference)
    }
    try container.put(series?.series, .series)
    try container.put(series?.occurrence, .occurrence)
    try container.put(categorizedBy, .categorizedBy)
    try details.encode(Tag.Transaction.importMark..., to: encoder)
    try container.put(isConverted, .converted)
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if there isn't exactly one shape, or a member is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      try Shape(from: decoder), on: try container.decode(Day.self, forKey: .day),
      id: try container.take(.id), details: try TransactionDetails(from: decoder))
    let reference: String = try container.take(.importReference)
    if let mark = try container.decodeIfPresent(ImportMark.self, forKey: .imported) {
      importIdentity = ImportIdentity(reference: reference, original: mark.original)
    } else if !reference.isEmpty {
      throw container.fault(
        .importReference, "there is an import reference, but the row was not imported")
    }
    if container.contains(.series) || container.contains(.occurrence) {
      series = try SeriesLink(from: decoder)
    }
    categorizedBy = try container.take(.categorizedBy)
    isConverted = try container.take(.converted)
  }
}

extension Draft.Shape: Codable {
  enum Key: String, CodingKey, CaseIterable {
    case expense, refund, income, incomeReversal, transfer, split, postings
  }

  /// Writes one member, named after the shape.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .entry(let entry): try container.encode(entry, forKey: entry.direction.key)
    case .transfer(let transfer): try container.encode(transfer, forKey: .transfer)
    case .split(let split): try container.encode(split, forKey: .split)
    case .postings(let postings): try container.encode(postings, forKey: .postings)
    }
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if there isn't exactly one shape.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      let names = Key.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "exactly one of \(names) is required"))
    }
    func entry(_ direction: Draft.Direction) throws -> Draft.Shape {
      var entry = try container.decode(Draft.Entry.self, forKey: key)
      entry.direction = direction
      return .entry(entry)
    }
    self =
      switch key {
      case .expense: try entry(.expense)
      case .refund: try entry(.refund)
      case .income: try entry(.income)
      case .incomeReversal: try entry(.incomeReversal)
      case .transfer: .transfer(try container.decode(Draft.Transfer.self, forKey: key))
      case .split: .split(try container.decode(Draft.Split.self, forKey: key))
      case .postings: .postings(try container.decode([Posting].self, forKey: key))
      }
  }
}

extension Draft.Direction {
  fileprivate var key: Draft.Shape.Key {
    switch self {
    case .expense: .expense
    case .refund: .refund
    case .income: .income
    case .incomeReversal: .incomeReversal
    }
  }
}

/// The JSON form of an entry; it omits the direction, which is the name of the enclosing member.
extension Draft.Entry: Codable {
  private enum Key: String, CodingKey { case account, category, accountAmount }

  /// Writes an amount with its account and category.
  public func encode(to encoder: any Encoder) throws {
    try amount.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.put(account, .account)
    try container.put(category, .category)
    try container.put(accountAmount, .accountAmount)
  }

  /// Reads the form written by ``encode(to:)``, as an expense.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      .expense, try Money(from: decoder), account: try container.take(.account),
      category: try container.take(.category), accountAmount: try container.take(.accountAmount))
  }
}

extension Draft.Transfer: Codable {
  private enum Key: String, CodingKey { case from, to, targetAmount }

  /// Writes an amount with its `from` and `to` accounts.
  public func encode(to encoder: any Encoder) throws {
    try amount.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.put(source, .from)
    try container.put(target, .to)
    try container.put(targetAmount, .targetAmount)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      try Money(from: decoder), from: try container.take(.from), to: try container.take(.to),
      targetAmount: try container.take(.targetAmount))
  }
}

extension Draft.Split: Codable {
  private enum Key: String, CodingKey { case kind, account, parts, accountAmount }

  /// Writes the account and the parts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    try container.put(account, .account)
    try container.encode(parts, forKey: .parts)
    try container.put(accountAmount, .accountAmount)
  }

  /// Reads the form written by ``encode(to:)``; `kind` defaults to `expense`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      account: try container.take(.account), kind: try container.take(.kind, or: .expense),
      parts: try container.decode([Draft.Part].self, forKey: .parts),
      accountAmount: try container.take(.accountAmount))
  }
}

extension Draft.Part: Codable {
  private enum Key: String, CodingKey { case category, account, note, reversed }

  /// Writes an amount with its category or account.
  public func encode(to encoder: any Encoder) throws {
    try amount.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.put(category, .category)
    try container.put(account, .account)
    try container.put(note, .note)
    try container.put(isReversed, .reversed)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      try Money(from: decoder), try container.take(.category), note: try container.take(.note),
      isReversed: try container.take(.reversed))
    account = try container.take(.account)
  }
}
