internal import DaybookLMDB
internal import DaybookPlatform

/// Starts a detached thread that runs `body`.
///
/// - Throws: ``ProjectingError`` with `limit` if the system cannot create a thread.
func startThread(_ body: @escaping @Sendable () -> Void) throws {
  var code: Int32 = 0
  // Applications' decisions and projections run on these threads, so their stack is as large as a
  // main thread's.
  let thread = NativeThread(stackByteCount: 8 << 20, refusal: { code = $0 }, body)
  guard let thread else {
    throw ProjectingError(
      .limit, "The system can't create a thread (error \(code)). End unneeded threads.")
  }
  thread.detach()
}

/// Runs pieces of work in parallel, the first one on this thread, and returns when all have ended.
///
/// If the system cannot create a thread for a piece, the piece runs after the first one. The first
/// piece must therefore not wait for the others.
///
/// - Throws: The error of the first failed piece, in the order of `pieces`.
func runInParallel(_ pieces: [@Sendable () throws -> Void]) throws {
  let outcomes = pieces.map { _ in Lock<(any Error)?>(nil) }
  func run(_ index: Int) {
    do { try pieces[index]() } catch { outcomes[index].withLock { $0 = error } }
  }
  var threads: [NativeThread] = []
  // These pieces run after the first one, which they may wait for.
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
