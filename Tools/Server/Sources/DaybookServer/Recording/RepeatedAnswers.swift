import Daybook
import Hummingbird
import Synchronization

/// The answers to writes that the ledger's own idempotency keys do not cover: undo, restore and imports.
///
/// Kept in memory only, the newest thousand. An import is repeatable beyond that: a row that is known is not
/// recorded again.
final class RepeatedAnswers: Sendable {
  private struct Entry {
    var request: String
    var answer: Answer
  }

  private static let countMax = 1_000
  private let entries = Mutex<(byKey: [String: Entry], order: [String])>(([:], []))

  /// The answer that a key has had.
  ///
  /// - Throws: ``Problem`` where the key was for another request.
  func answer(to key: String?, request: String) throws -> Answer? {
    guard let key else { return nil }
    guard let entry = entries.withLock({ $0.byKey[key] }) else { return nil }
    guard entry.request == request else {
      throw Problem(
        .unprocessableContent, "keyReused", "The idempotency key was used for another request.",
        remedy: "Use a new key for a new request.",
        place: [.init("in", .string("header")), .init("name", .string("Idempotency-Key"))])
    }
    return entry.answer
  }

  /// Keeps the answer to a key.
  func keep(_ answer: Answer, for key: String?, request: String) {
    guard let key else { return }
    entries.withLock { entries in
      if entries.byKey.updateValue(Entry(request: request, answer: answer), forKey: key) == nil {
        entries.order.append(key)
      }
      if entries.order.count > Self.countMax { entries.byKey[entries.order.removeFirst()] = nil }
    }
  }
}
