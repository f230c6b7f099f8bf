// JSON forms of the values that commands create and change; see Docs/JSON.md.

extension NewAccount: Codable {
  private enum Key: String, CodingKey { case id, currency, opening, openingDay }

  /// Writes the members of an account.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(id, .id)
    try details.encode(...2, to: encoder)
    try container.encode(currency, forKey: .currency)
    try container.put(opening, .opening)
    try container.put(openingDay, .openingDay)
    // The order of members must never change: the flag follows the note and the order.
    try details.encode(9...10, to: encoder)
    try details.encode(3...8, to: encoder)
    try details.encode(11..., to: encoder)
  }

  /// Reads the form written by ``encode(to:)``; `kind` defaults to `asset`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.take(.id)
    details = try AccountDetails(from: decoder)
    currency = try container.decode(Currency.self, forKey: .currency)
    opening = try container.take(.opening)
    openingDay = try container.take(.openingDay)
  }
}

extension NewCategory: Codable {
  private enum Key: String, CodingKey { case id, kind }

  /// Writes the members of a category.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(id, .id)
    try details.encode(...1, to: encoder)
    try container.encode(kind, forKey: .kind)
    try details.encode(3...3, to: encoder)
    try details.encode(5..., to: encoder)
    try details.encode(4...4, to: encoder)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.take(.id)
    details = try CategoryDetails(from: decoder)
    kind = try container.decode(CategoryKind.self, forKey: .kind)
  }
}

extension SettingsChange: Codable {
  private enum Key: String, CodingKey {
    case baseCurrency, firstWeekday, mergePolicy, addedHolidays, removedHolidays
  }

  /// Writes the members that change; `"baseCurrency": null` removes the base currency.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(change: baseCurrency, .baseCurrency)
    try container.put(firstWeekday.map { WeekdayName(number: $0) }, .firstWeekday)
    try container.put(mergePolicy, .mergePolicy)
    try container.put(addedHolidays, .addedHolidays)
    try container.put(removedHolidays, .removedHolidays)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let weekday: WeekdayName? = try container.take(.firstWeekday)
    self.init(
      baseCurrency: try container.take(change: .baseCurrency), firstWeekday: weekday?.number,
      mergePolicy: try container.take(.mergePolicy),
      addedHolidays: try container.take(.addedHolidays),
      removedHolidays: try container.take(.removedHolidays))
  }
}

extension DeletionPolicy: Codable where ID: Codable {
  private enum Key: String, CodingKey { case to }

  /// Writes `"keep"`, `"delete"`, or `{"to": …}` with the account or category that takes the
  /// transactions.
  public func encode(to encoder: any Encoder) throws {
    if case .move(let id) = self {
      var container = encoder.container(keyedBy: Key.self)
      return try container.encode(id, forKey: .to)
    }
    var container = encoder.singleValueContainer()
    try container.encode(self == .keepRows ? "keep" : "delete")
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the value has a different form.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer(),
      let name = try? container.decode(String.self)
    {
      switch name {
      case "keep": self = .keepRows
      case "delete": self = .withRows
      default:
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "“\(name.excerpt)” isn't one of “keep”, “delete”, {\"to\": …}")
      }
      return
    }
    self = .move(to: try decoder.container(keyedBy: Key.self).decode(ID.self, forKey: .to))
  }
}

extension SeriesScope: Codable {
  private enum Key: String, CodingKey { case future, all }

  /// Writes `"seriesOnly"`, or the day as `{"future": …}` or `{"all": …}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .seriesOnly:
      var container = encoder.singleValueContainer()
      try container.encode("seriesOnly")
    case .future(let day):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(day, forKey: .future)
    case .all(let day):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(day, forKey: .all)
    }
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the value has a different form.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer(),
      let name = try? container.decode(String.self)
    {
      guard name == "seriesOnly" else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription:
            "“\(name.excerpt)” isn't one of “seriesOnly”, {\"future\": day}, {\"all\": day}")
      }
      self = .seriesOnly
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    if let day = try container.decodeIfPresent(Day.self, forKey: .future) {
      self = .future(from: day)
    } else {
      self = .all(from: try container.decode(Day.self, forKey: .all))
    }
  }
}

extension Amendment: Codable {
  private enum Key: String, CodingKey {
    case type, day, amount, account, category, otherAccount, accountAmount, targetAmount
    case series, categorizedBy, converted, changesImportedTotal, seen
  }

  /// Writes the members that change, with a shape under its name; `"series": null` unlinks the
  /// transaction.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(type, .type)
    try container.put(day, .day)
    try container.put(amount, .amount)
    try container.put(account, .account)
    try container.put(category, .category)
    try container.put(otherAccount, .otherAccount)
    try container.put(accountAmount, .accountAmount)
    try container.put(targetAmount, .targetAmount)
    try shape?.encode(to: encoder)
    try details.encode(Tag.Transaction.postings..<Tag.Transaction.importMark, to: encoder)
    try details.encode(..<Tag.Transaction.postings, to: encoder)
    if let series {
      if let series {
        try series.encode(to: encoder)
      } else {
        try container.encodeNil(forKey: .series)
      }
    }
    try container.put(categorizedBy, .categorizedBy)
    try details.encode(Tag.Transaction.importMark..., to: encoder)
    try container.put(isConverted, .converted)
    try container.put(changesImportedTotal, .changesImportedTotal)
    try container.put(seen, .seen)
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if there are several shapes, or a member is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let shapes = try decoder.container(keyedBy: Draft.Shape.Key.self)
    self.init(
      type: try container.take(.type), day: try container.take(.day),
      amount: try container.take(.amount), account: try container.take(.account),
      category: try container.take(.category),
      otherAccount: try container.take(.otherAccount),
      accountAmount: try container.take(.accountAmount),
      targetAmount: try container.take(.targetAmount),
      shape: shapes.allKeys.isEmpty ? nil : try Draft.Shape(from: decoder))
    details = try DetailsChange(from: decoder)
    if container.contains(.series) {
      let isLeft = try container.decodeNil(forKey: .series)
      series = .some(isLeft ? nil : try SeriesLink(from: decoder))
    }
    categorizedBy = try container.take(.categorizedBy)
    isConverted = try container.take(.converted)
    changesImportedTotal = try container.take(.changesImportedTotal)
  }
}

extension ImportRow: Codable {
  private enum Key: String, CodingKey { case line, reference, statement, choice, match }

  /// Writes the members of the draft, the line, the row's id in the file, its statement, the user's
  /// changes, and the matching transaction.
  public func encode(to encoder: any Encoder) throws {
    try draft.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.put(line, unless: 0, .line)
    try container.put(reference, .reference)
    try container.put(statement, unless: 0, .statement)
    try container.put(choice, .choice)
    try container.put(match, .match)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      try Draft(from: decoder), line: try container.take(.line, or: 0),
      reference: try container.take(.reference),
      statement: try container.take(.statement, or: 0), choice: try container.take(.choice),
      match: try container.take(.match))
  }
}

extension ImportMatch: Codable {
  private enum Key: String, CodingKey { case transaction, occurrence, booked }

  /// Writes `{"transaction": id}`, `{"occurrence": {…}}` or `{"booked": true}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .transaction(let id): try container.encode(id, forKey: .transaction)
    case .occurrence(let link): try container.encode(link, forKey: .occurrence)
    case .booked: try container.encode(true, forKey: .booked)
    }
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if there is no member or an unknown member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let id: TransactionID = try container.take(.transaction) {
      self = .transaction(id)
    } else if let link: SeriesLink = try container.take(.occurrence) {
      self = .occurrence(link)
    } else {
      guard try container.decode(Bool.self, forKey: .booked) else {
        throw container.fault(.booked, "it can only be true")
      }
      self = .booked
    }
  }
}

extension ImportOptions: Codable {
  private enum Key: String, CodingKey {
    case skipsBadRows, restoresDeleted, keepsDuplicates, removed
  }

  /// Writes the options that are set.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(skipsBadRows, .skipsBadRows)
    try container.put(restoresDeleted, .restoresDeleted)
    try container.put(keepsDuplicates, .keepsDuplicates)
    try container.put(removed, .removed)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      skipsBadRows: try container.take(.skipsBadRows),
      restoresDeleted: try container.take(.restoresDeleted),
      keepsDuplicates: try container.take(.keepsDuplicates))
    removed = try container.take(.removed)
  }
}
