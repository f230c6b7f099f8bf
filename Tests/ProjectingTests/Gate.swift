// Goal: the other files hold threads of a store at named points without blocking the threads that
// tests share. Method: a condition for those that may block, continuations for those that must not.

import Foundation

/// Holds the threads that pass a named point until it is opened.
///
/// Those who wait for an arrival are suspended, not blocked: tests share few threads.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var held: Set<String>
  private var reached: Set<String> = []
  private var waiting: [(name: String, continuation: CheckedContinuation<Void, Never>)] = []

  init(_ names: String...) { held = Set(names) }

  /// To be called by a trace, on a thread that may block.
  func pass(_ name: String) {
    condition.lock()
    reached.insert(name)
    let arrived = waiting.filter { $0.name == name }
    waiting.removeAll { $0.name == name }
    condition.unlock()
    for waiter in arrived { waiter.continuation.resume() }
    condition.lock()
    while held.contains(name) { condition.wait() }
    condition.unlock()
  }

  /// Waits until somebody is at a point.
  func arrival(at name: String) async {
    await withCheckedContinuation { continuation in
      condition.lock()
      let isThere = reached.contains(name)
      if !isThere { waiting.append((name, continuation)) }
      condition.unlock()
      if isThere { continuation.resume() }
    }
  }

  /// Holds those who pass a point from now on.
  func hold(_ name: String) {
    condition.lock()
    held.insert(name)
    condition.unlock()
  }

  func open(_ name: String) {
    condition.lock()
    held.remove(name)
    condition.broadcast()
    condition.unlock()
  }
}

/// Runs something that blocks on a thread of its own.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
