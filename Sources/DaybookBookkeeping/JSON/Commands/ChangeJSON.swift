// JSON forms of the values that commands create and change; see Docs/JSON.md.

extension NewAccount: Codable {
  private enum Key: String, CodingKey {
    case id, name, kind, currency, opening, openingDay, note, order, hidden, identifiers
  }

  /// Writes the members of an account.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(id, .id)
    try container.encode(name, forKey: .name)
    try container.encode(kind, forKey: .kind)
    try container.encode(currency, forKey: .currency)
    try container.put(opening, .opening)
    try container.put(openingDay, .openingDay)
    try container.put(note, .note)
    try container.put(order, unless: 0, .order)
    try container.put(isHidden, .hidden)
    try container.put(identifiers, .identifiers)
  }

  /// Reads the form written by ``encode(to:)``; `kind` defaults to `asset`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      id: try container.take(.id), name: try container.decode(String.self, forKey: .name),
      kind: try container.take(.kind, or: .asset),
      currency: try container.decode(Currency.self, forKey: .currency),
      opening: try container.take(.opening), openingDay: try container.take(.openingDay),
      note: try container.take(.note), order: try container.take(.order, or: 0),
      isHidden: try container.take(.hidden))
    identifiers = try container.take(.identifiers)
  }
}

extension NewCategory: Codable {
  private enum Key: String, CodingKey { case id, name, kind, parent, note, order, hidden }

  /// Writes the members of a category.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(id, .id)
    try container.encode(name, forKey: .name)
    try container.encode(kind, forKey: .kind)
    try container.put(parent, .parent)
    try container.put(note, .note)
    try container.put(order, unless: 0, .order)
    try container.put(isHidden, .hidden)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      id: try container.take(.id), name: try container.decode(String.self, forKey: .name),
      kind: try container.decode(CategoryKind.self, forKey: .kind),
      parent: try container.take(.parent), note: try container.take(.note),
      order: try container.take(.order, or: 0), isHidden: try container.take(.hidden))
  }
}

extension CategoryChange: Codable {
  private enum Key: String, CodingKey { case name, parent, note, order, hidden, seen }

  /// Writes the members that change; `"parent": null` makes the category a top-level one.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(name, .name)
    try container.put(change: parent, .parent)
    try container.put(note, .note)
    try container.put(order, .order)
    try container.put(isHidden, .hidden)
    try container.put(seen, .seen)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      name: try container.take(.name), parent: try container.take(change: .parent),
      note: try container.take(.note), order: try container.take(.order),
      isHidden: try container.take(.hidden), seen: try container.take(.seen))
  }
}

extension SettingsChange: Codable {
  private enum Key: String, CodingKey { case baseCurrency, firstWeekday, mergePolicy }

  /// Writes the members that change; `"baseCurrency": null` removes the base currency.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(change: baseCurrency, .baseCurrency)
    try container.put(firstWeekday.map { WeekdayName(number: $0) }, .firstWeekday)
    try container.put(mergePolicy, .mergePolicy)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let weekday: WeekdayName? = try container.take(.firstWeekday)
    self.init(
      baseCurrency: try container.take(change: .baseCurrency), firstWeekday: weekday?.number,
      mergePolicy: try container.take(.mergePolicy))
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
  /// - Throws: `DecodingError` if the value has another form.
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
  /// - Throws: `DecodingError` if the value has another form.
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
    case day, amount, account, category, otherAccount, accountAmount, targetAmount, description
    case payee, note, tags, status, series, categorizedBy, valueDay, code, changesImportedTotal
    case seen
  }

  /// Writes the members that change, with a shape under its name; `"series": null` unlinks the
  /// transaction.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(day, .day)
    try container.put(amount, .amount)
    try container.put(account, .account)
    try container.put(category, .category)
    try container.put(otherAccount, .otherAccount)
    try container.put(accountAmount, .accountAmount)
    try container.put(targetAmount, .targetAmount)
    try shape?.encode(to: encoder)
    try container.put(description, .description)
    try container.put(payee, .payee)
    try container.put(note, .note)
    try container.put(tags as [String]?, .tags)
    try container.put(status, .status)
    if let series {
      if let series {
        try series.encode(to: encoder)
      } else {
        try container.encodeNil(forKey: .series)
      }
    }
    try container.put(categorizedBy, .categorizedBy)
    try container.put(change: valueDay, .valueDay)
    try container.put(code, .code)
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
      day: try container.take(.day), amount: try container.take(.amount),
      account: try container.take(.account), category: try container.take(.category),
      otherAccount: try container.take(.otherAccount),
      accountAmount: try container.take(.accountAmount),
      targetAmount: try container.take(.targetAmount),
      shape: shapes.allKeys.isEmpty ? nil : try Draft.Shape(from: decoder),
      description: try container.take(.description), payee: try container.take(.payee),
      note: try container.take(.note), tags: try container.take(.tags) as [String]?,
      status: try container.take(.status), seen: try container.take(.seen))
    if container.contains(.series) {
      let isLeft = try container.decodeNil(forKey: .series)
      series = .some(isLeft ? nil : try SeriesLink(from: decoder))
    }
    categorizedBy = try container.take(.categorizedBy)
    valueDay = try container.take(change: .valueDay)
    code = try container.take(.code)
    changesImportedTotal = try container.take(.changesImportedTotal)
  }
}

extension ImportRow: Codable {
  private enum Key: String, CodingKey { case line, reference, choice }

  /// Writes the members of the draft, the line, and the row's id in the file.
  public func encode(to encoder: any Encoder) throws {
    try draft.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.put(line, unless: 0, .line)
    try container.put(reference, .reference)
    try container.put(choice, .choice)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      try Draft(from: decoder), line: try container.take(.line, or: 0),
      reference: try container.take(.reference), choice: try container.take(.choice))
  }
}

extension ImportOptions: Codable {
  private enum Key: String, CodingKey { case skipsBadRows, restoresDeleted, keepsDuplicates }

  /// Writes the options that are set.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(skipsBadRows, .skipsBadRows)
    try container.put(restoresDeleted, .restoresDeleted)
    try container.put(keepsDuplicates, .keepsDuplicates)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      skipsBadRows: try container.take(.skipsBadRows),
      restoresDeleted: try container.take(.restoresDeleted),
      keepsDuplicates: try container.take(.keepsDuplicates))
  }
}
