/// A column of a file, given by its name in the header or by its number.
public enum ColumnReference: Hashable, Sendable {
  /// The column with this header.
  case name(String)
  /// The column with this number, from 1.
  case number(Int)

  init(_ text: String) { self = Int(text).map(ColumnReference.number) ?? .name(text) }
}

extension ColumnReference: Codable, CustomStringConvertible {
  /// Decodes a column from a JSON string or number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let name = try? container.decode(String.self) {
      self = .name(name)
    } else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "Write a column as its name in quotes, or its number from 1.")
    }
  }

  /// Encodes the column as a JSON string or number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .name(let name): try container.encode(name)
    case .number(let number): try container.encode(number)
    }
  }

  /// The name or number.
  public var description: String {
    switch self {
    case .name(let name): name
    case .number(let number): "\(number)"
    }
  }
}

/// A text that contains columns, such as `Bank {account_id}` or `{payee|name}`.
///
/// `{name}` is replaced with the value of the column that has this header or number. If several
/// names are separated by `|`, the first column that isn't blank is used. `{{` and `}}` are literal
/// braces.
public struct ColumnTemplate: Hashable, Sendable {
  enum Part: Hashable {
    case literal(String)
    case columns([ColumnReference])
  }

  /// The template, as written in the mapping.
  public let text: String
  let parts: [Part]

  /// The text, if the template contains no columns.
  public var literal: String? {
    guard parts.count <= 1 else { return nil }
    switch parts.first {
    case .literal(let text): return text
    case .columns: return nil
    case nil: return ""
    }
  }

  /// Parses a template.
  ///
  /// Returns `nil` if braces don't match or a name is empty.
  public init?(_ text: String) {
    var parts: [Part] = []
    var literal = ""
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        literal.append(character)
        rest.removeFirst()
      case "{":
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let names = rest[..<end].split(separator: "|", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(.columns(names.map { ColumnReference(String($0)) }))
        rest = rest[rest.index(after: end)...]
      case "}":
        return nil
      default:
        literal.append(character)
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    self.text = text
    self.parts = parts
  }
}

extension ColumnTemplate: Codable {
  /// Decodes a template from a JSON string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let template = ColumnTemplate(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "“\(text)” isn't a template: it has an unclosed or empty brace.")
    }
    self = template
  }

  /// Encodes the template as a JSON string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
