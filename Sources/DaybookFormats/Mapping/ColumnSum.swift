/// An amount computed from columns, such as `{Net} - {Amount} - {Fee}`.
///
/// Column names are enclosed in braces and combined with `+` or `-`. `{a|b}` is the first of
/// several columns that isn't blank. A blank column counts as zero. If all columns are blank, the
/// row has no amount.
public struct ColumnSum: Hashable, Sendable {
  /// A column to add or subtract.
  struct Term: Hashable {
    var isNegative: Bool
    var columns: [ColumnReference]
  }

  /// The sum, as written in the mapping.
  public let text: String
  let terms: [Term]

  /// Creates a sum of a single column.
  public init(column: ColumnReference) {
    text = "{\(column)}"
    terms = [Term(isNegative: false, columns: [column])]
  }

  /// Parses a sum.
  ///
  /// Returns `nil` if a brace isn't closed, or a sign or column is missing.
  public init?(_ text: String) {
    var terms: [Term] = []
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " }
      if rest.isEmpty { break }
      var isNegative = false
      if let sign = rest.first, ["+", "-", "−"].contains(sign) {
        isNegative = sign != "+"
        rest = rest.dropFirst().drop { $0 == " " }
      } else if !terms.isEmpty {
        return nil
      }
      guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
      let names = rest.dropFirst()[..<end].split(separator: "|", omittingEmptySubsequences: false)
      guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
      terms.append(
        Term(isNegative: isNegative, columns: names.map { ColumnReference(String($0)) }))
      rest = rest[rest.index(after: end)...]
    }
    guard !terms.isEmpty else { return nil }
    self.text = text
    self.terms = terms
  }

  /// The column, if the sum is a single column.
  public var column: ColumnReference? {
    guard terms.count == 1, !terms[0].isNegative, terms[0].columns.count == 1 else { return nil }
    return terms[0].columns[0]
  }
}

extension ColumnSum: Codable {
  /// Decodes a sum from a JSON string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let sum = ColumnSum(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "“\(text)” isn't a sum of columns, such as {Net} - {Fee}.")
    }
    self = sum
  }

  /// Encodes the sum as a JSON string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
