import Daybook
import Foundation
import HTTPTypes

/// Parsing of JSON received from a client.
enum JSONText {
  /// Parses JSON.
  ///
  /// Numbers must be integers, because no value in Daybook's JSON has a fraction.
  ///
  /// - Throws: ``Problem`` if the bytes are not JSON or contain a fraction.
  static func read(_ bytes: [UInt8]) throws -> JSONValue {
    do {
      return try JSONDecoder().decode(Received.self, from: Data(bytes)).value
    } catch let problem as Problem {
      throw problem
    } catch let error as DecodingError {
      var place: [JSONValue.Member] = [.init("in", .string("body"))]
      if case .dataCorrupted(let context) = error, !context.codingPath.isEmpty {
        place.append(
          .init("member", .string(context.codingPath.map(\.stringValue).joined(separator: "."))))
      }
      throw Problem(
        .badRequest, "malformed", "Couldn't read the body as JSON.",
        remedy: "Check its syntax. Write amounts as strings, and numbers without a fraction.",
        place: place)
    }
  }

  /// Decodes a value from its JSON form.
  ///
  /// Unknown members are rejected. An unknown member is a typo or belongs in another request, so
  /// ignoring it would hide the caller's mistake.
  ///
  /// - Throws: `DecodingError`.
  static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
    let node = StrictNode(value, [])
    let decoded = try Value(from: StrictDecoder(node))
    if let unread = node.unread() { throw unread }
    return decoded
  }

  private struct Received: Decodable {
    var value: JSONValue

    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: StrictKey.self) {
        value = .object(
          try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
            .init($0.stringValue, try container.decode(Received.self, forKey: $0).value)
          })
        return
      }
      if var list = try? decoder.unkeyedContainer() {
        var values: [JSONValue] = []
        while !list.isAtEnd { values.append(try list.decode(Received.self).value) }
        value = .array(values)
        return
      }
      let single = try decoder.singleValueContainer()
      if single.decodeNil() {
        value = .null
      } else if let flag = try? single.decode(Bool.self) {
        value = .bool(flag)
      } else if let text = try? single.decode(String.self) {
        value = .string(text)
      } else {
        value = .int(try single.decode(Int64.self))
      }
    }
  }
}

extension JSONValue {
  /// Returns the value of an object's member.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Returns the object with a member replaced or, if `value` is `nil`, removed.
  func setting(_ name: String, _ value: JSONValue?) -> JSONValue {
    guard case .object(let members) = self else { return self }
    let rest = members.filter { $0.name != name }
    return .object(rest + (value.map { [.init(name, $0)] } ?? []))
  }

  /// The value if it is a string, otherwise `nil`.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value if it is a Boolean, otherwise `nil`.
  var flag: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }
}
