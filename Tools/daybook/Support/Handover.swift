import Synchronization

/// A large value that can be inspected and then moved out, so that the receiver can free its
/// memory.
///
/// A plain variable would keep the value alive until the caller returns.
final class Handover<Value: Sendable>: Sendable {
  private let held: Mutex<Value>
  private let rest: Value

  /// Creates a handover of a value, which `take()` replaces with `rest`.
  init(_ value: Value, rest: Value) {
    held = Mutex(value)
    self.rest = rest
  }

  /// The value, or `rest` after it was taken.
  var value: Value { held.withLock { $0 } }

  /// Removes and returns the value, leaving `rest`.
  func take() -> Value {
    held.withLock { held in
      var taken = rest
      swap(&taken, &held)
      return taken
    }
  }
}
