import Daybook

/// A line of a JSON export, which is the header or an entity under the name of its kind.
enum RestoredLine: Decodable {
  case head(version: Int)
  case entity(any LedgerEntity)

  private struct Head: Decodable {
    var version: Int
  }

  private static let types = Dictionary(
    uniqueKeysWithValues: KindDescription.all.map { ($0.name, $0.type) })

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: MemberName.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw RestoreFault("a line must have one member, named after the entity's kind")
    }
    if key.stringValue == "daybook" {
      self = .head(version: try container.decode(Head.self, forKey: key).version)
      return
    }
    guard let type = Self.types[key.stringValue] else {
      throw RestoreFault("the kind “\(key.stringValue)” is unknown")
    }
    self = .entity(try container.decode(type, forKey: key))
  }
}

/// The reason why a line isn't valid.
struct RestoreFault: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }

  /// Returns a description of a JSON error, with the path of the member.
  static func words(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    let (context, member): (DecodingError.Context, String?) =
      switch error {
      case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context, nil)
      @unknown default: (.init(codingPath: [], debugDescription: "\(error)"), nil)
      }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    let place = path.isEmpty ? "" : path.joined(separator: ".") + ": "
    return place + (member ?? context.debugDescription)
  }
}
