package import DaybookEntities

extension PropertyValue {
  /// The value as English text for display.
  ///
  /// - Parameters:
  ///   - isQuoted: Whether a text is enclosed in quotation marks.
  ///   - name: Returns the name of an account, category or other entity.
  package func text(
    isQuoted: Bool = true, naming name: (EntityID) throws -> String
  ) rethrows -> String {
    switch self {
    case .text(let text): return isQuoted ? "“\(text)”" : text
    case .texts(let texts): return texts.joined(separator: ", ")
    case .day(let day): return "\(day)"
    case .number(let number): return "\(number)"
    case .flag(let flag): return flag ? "yes" : "no"
    case .choice(let name): return name
    case .entity(let id): return try name(id)
    case .currency(let currency): return currency.code
    case .money(let money): return "\(money.text) \(money.currency.code)"
    case .quote(let quote): return "\(quote)"
    case .bytes(let bytes): return "(\(bytes.count) bytes)"
    case .postings(let postings):
      return try postings.map { posting in
        let id =
          switch posting.account {
          case .account(let id): id.rawValue
          case .category(let id): id.rawValue
          }
        return "\(try name(id)) \(posting.amount.text) \(posting.amount.currency.code)"
      }.joined(separator: ", ")
    }
  }
}
