internal import DaybookLMDB

/// Starts a detached thread that runs `body`.
///
/// - Throws: ``ProjectingError`` with `limit` if the system refuses a thread.
func startThread(_ body: @escaping @Sendable () -> Void) throws {
  var code: Int32 = 0
  // Decisions and projections of applications run on these threads, so the stack is as large as
  // that of a main thread.
  let thread = NativeThread(stackByteCount: 8 << 20, refusal: { code = $0 }, body)
  guard let thread else {
    throw ProjectingError(
      .limit, "The system refused a thread (error \(code)). Close what is not needed.")
  }
  thread.detach()
}

/// Runs pieces of work in parallel, the first on this thread, and returns when all have ended.
///
/// If the system refuses a thread, that piece runs after the first one, so the first must not wait
/// for it.
///
/// - Throws: The error of the first piece, in their order, that failed.
func runInParallel(_ pieces: [@Sendable () throws -> Void]) throws {
  let outcomes = pieces.map { _ in Lock<(any Error)?>(nil) }
  func run(_ index: Int) {
    do { try pieces[index]() } catch { outcomes[index].withLock { $0 = error } }
  }
  var threads: [NativeThread] = []
  // These run after the first piece, since they may wait for it.
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
