import DaybookEntities
import Foundation

@testable import DaybookJournal

extension FuzzTarget {
  /// Tokens: each token must have exactly one text, and any four numbers must survive being written
  /// and read.
  static let tokens = FuzzTarget(
    name: "tokens",
    seeds: { _ in
      let token = Token(
        store: EntityID(high: 1, low: 2), lineage: 3, sequence: 4, linkPrefix: 5)
      return [Array(token.text.utf8), Array("\"\(token.text)\"".utf8), [0]]
    },
    run: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      if let token = Token(text) { require(token.text == text, "a token has one text") }
      _ = try? JSONDecoder().decode(Token.self, from: Data(bytes))
      guard bytes.count >= 40 else { return }
      // A valid token, whose checksum random mutations can't produce.
      var reader = ByteReader(bytes.span.bytes)
      guard let store = try? reader.id(), let lineage = try? reader.u64be(),
        let sequence = try? reader.u64be(), let link = try? reader.u64be()
      else { return }
      let token = Token(store: store, lineage: lineage, sequence: sequence, linkPrefix: link)
      require(Token(token.text) == token, "a token that is written is read again")
      var characters = Array(token.text.utf8)
      let place = Int(bytes[0]) % characters.count
      let wrong = bytes[1]
      guard wrong != characters[place] else { return }
      characters[place] = wrong
      let slip = String(decoding: characters, as: UTF8.self)
      require(Token(slip) == nil, "a slip of the pen is found: \(slip)")
    })
}
