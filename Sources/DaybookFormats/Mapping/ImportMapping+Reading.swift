import DaybookBookkeeping
public import Foundation

extension ImportMapping {
  /// Reads a mapping file.
  /// - Throws: `InterchangeError` with code `file` if the file can't be read, or code `mapping`
  ///   with the line, column and key of the mistake.
  public init(path: String) throws(InterchangeError) {
    let bytes = try CSVFile.read(path)
    do {
      try self.init(json: Data(bytes))
    } catch {
      var error = error
      error.path = path
      throw error
    }
  }

  /// Parses a mapping from JSON.
  /// - Throws: `InterchangeError` with code `mapping` and the line, column and key of the mistake.
  public init(json: Data) throws(InterchangeError) {
    let places: JSONPlaces
    do throws(JSONPlaces.Fault) {
      places = try JSONPlaces([UInt8](json))
    } catch {
      throw Self.error(error.reason, at: error.place, remedy: "Write the mapping as a JSON object.")
    }
    do {
      self = try JSONDecoder().decode(ImportMapping.self, from: json)
    } catch {
      throw Self.error(error, places)
    }
  }

  /// Returns the mapping as JSON, with sorted keys.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  private static func error(
    _ reason: String, at place: JSONPlaces.Place, remedy: String
  ) -> InterchangeError {
    var error = InterchangeError(.mapping, reason, remedy: remedy, line: place.line)
    error.column = place.column
    return error
  }

  private static func error(_ error: any Error, _ places: JSONPlaces) -> InterchangeError {
    let remedy = "See Docs/Import.md for the keys of a mapping."
    func name(_ path: [String]) -> String { "“\(path.joined(separator: "."))”" }
    switch error {
    case let stray as StrayKey:
      let near = Nearest.name(to: stray.key, among: stray.known)
      return self.error(
        "Unknown key \(name(stray.path + [stray.key])).",
        at: places.place(of: stray.path + [stray.key], atKey: true),
        remedy: near.map { "Did you mean “\($0)”?" }
          ?? "The valid keys are \(stray.known.sorted().joined(separator: ", ")).")
    case DecodingError.keyNotFound(let key, let context):
      let path = context.codingPath.map(\.step)
      return self.error(
        "The key \(name(path + [key.stringValue])) is missing.", at: places.place(of: path),
        remedy: remedy)
    case DecodingError.typeMismatch(let type, let context),
      DecodingError.valueNotFound(let type, let context):
      let path = context.codingPath.map(\.step)
      let what = path.isEmpty ? "A mapping" : name(path)
      return self.error(
        "\(what) must be \(words(for: type)).", at: places.place(of: path), remedy: remedy)
    case DecodingError.dataCorrupted(let context):
      let path = context.codingPath.map(\.step)
      return self.error(
        path.isEmpty
          ? "Couldn't read this: \(context.debugDescription)"
          : "\(name(path)): \(context.debugDescription)", at: places.place(of: path),
        remedy: remedy)
    default:
      return self.error("\(error)", at: places.place(of: []), remedy: remedy)
    }
  }

  private static func words(for type: Any.Type) -> String {
    switch type {
    case is String.Type: "text in quotes"
    case is Bool.Type: "true or false"
    case is Int.Type, is Int64.Type, is Double.Type: "a whole number"
    case is [Any].Type: "a list: [ … ]"
    default: "an object: { … }"
    }
  }
}

extension CodingKey {
  /// The key, or the index of a list element.
  fileprivate var step: String { intValue.map { "\($0)" } ?? stringValue }
}

/// An error that reports an unknown key.
struct StrayKey: Error {
  var path: [String]
  var key: String
  var known: Set<String>
}

extension Decoder {
  /// Returns a keyed container, and throws ``StrayKey`` if it contains keys that `Key` doesn't
  /// define.
  func strictContainer<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Set(Key.allCases.map(\.stringValue))
    let any = try container(keyedBy: MemberName.self)
    let strays = any.allKeys.map(\.stringValue).filter { !known.contains($0) }
    if let stray = strays.min() {
      throw StrayKey(path: codingPath.map(\.step), key: stray, known: known)
    }
    return try container(keyedBy: keys)
  }

  /// Decodes a case by its raw value.
  ///
  /// The error lists all possible values.
  func choice<Choice: RawRepresentable<String> & CaseIterable>() throws -> Choice {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    if let choice = Choice(rawValue: text) { return choice }
    let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw DecodingError.dataCorruptedError(
      in: container, debugDescription: "“\(text)” isn't one of \(words).")
  }
}

extension KeyedDecodingContainer {
  func value<T: Decodable>(_ key: Key, or standard: T) throws -> T {
    try decodeIfPresent(T.self, forKey: key) ?? standard
  }

  /// Decodes a list, or a single value as a list with one element.
  func list<T: Decodable>(_ key: Key, of _: T.Type) throws -> [T] {
    guard contains(key) else { return [] }
    if (try? nestedUnkeyedContainer(forKey: key)) != nil {
      return try decode([T].self, forKey: key)
    }
    return [try decode(T.self, forKey: key)]
  }
}
