import Synchronization

/// A large value that is looked at, and then given away: whoever takes it has its memory to free.
///
/// A plain variable would hold it until whoever called is done, too.
final class Handover<Value: Sendable>: Sendable {
  private let held: Mutex<Value>
  private let rest: Value

  /// Holds a value; once it is taken, `rest` is in its place.
  init(_ value: Value, rest: Value) {
    held = Mutex(value)
    self.rest = rest
  }

  /// The value, or what is left of it.
  var value: Value { held.withLock { $0 } }

  /// The value; what is left is `rest`.
  func take() -> Value {
    held.withLock { held in
      var taken = rest
      swap(&taken, &held)
      return taken
    }
  }
}
