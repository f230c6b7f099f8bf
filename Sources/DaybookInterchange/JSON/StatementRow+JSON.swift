import Daybook

extension StatementRow: Encodable {
  private enum Key: String, CodingKey {
    case line, day, valueDay, account, fee, original, category, target, payee, description, note
    case reference, pending
  }

  /// Encodes the row with the names of accounts and categories, because files have no ids.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func put(_ text: String, _ key: Key) throws {
      if !text.isEmpty { try container.encode(text, forKey: key) }
    }
    try container.encode(line, forKey: .line)
    try container.encode(day, forKey: .day)
    try container.encodeIfPresent(valueDay, forKey: .valueDay)
    try put(account, .account)
    try amount.encode(to: encoder)
    try container.encodeIfPresent(fee, forKey: .fee)
    try container.encodeIfPresent(original, forKey: .original)
    try put("\(category)", .category)
    try container.encodeIfPresent(target, forKey: .target)
    try put(payee, .payee)
    try put(description, .description)
    try put(note, .note)
    try put(reference, .reference)
    if isPending { try container.encode(true, forKey: .pending) }
  }
}
