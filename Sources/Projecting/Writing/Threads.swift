internal import LMDB

/// Starts a thread that does one thing and ends; nobody waits for it.
func startThread(_ body: @escaping @Sendable () -> Void) throws {
  var code: Int32 = 0
  // Decisions and projections of applications run on such threads: give them a main thread's stack.
  let thread = NativeThread(stackByteCount: 8 << 20, refusal: { code = $0 }, body)
  guard let thread else {
    throw ProjectingError(
      .limit, "The system refused a thread (error \(code)). Close what is not needed.")
  }
  thread.detach()
}

/// Runs pieces of work at the same time, the first on this thread, and returns when all have ended.
///
/// Where the system has no thread to give, a piece runs after the first, which must not wait for it.
///
/// - Throws: what the first piece that failed threw.
func runInParallel(_ pieces: [@Sendable () throws -> Void]) throws {
  let outcomes = pieces.map { _ in Lock<(any Error)?>(nil) }
  func run(_ index: Int) {
    do { try pieces[index]() } catch { outcomes[index].withLock { $0 = error } }
  }
  var threads: [NativeThread] = []
  // After the first, for which they may wait.
  var refused: [Int] = []
  for index in pieces.indices.dropFirst() {
    if let thread = NativeThread({ run(index) }) {
      threads.append(thread)
    } else {
      refused.append(index)
    }
  }
  if !pieces.isEmpty { run(0) }
  for index in refused { run(index) }
  for thread in threads { thread.join() }
  for outcome in outcomes {
    if let error = outcome.withLock({ $0 }) { throw error }
  }
}
