#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How long something took, in microseconds.
struct Span {
  /// On the clock on the wall, which other processes lengthen.
  var wall = 0.0
  /// Of processor time of this process, all its threads.
  var processor = 0.0

  static func += (left: inout Span, right: Span) {
    left.wall += right.wall
    left.processor += right.processor
  }
}

/// Measures `body`.
func measure(_ body: () async throws -> Void) async rethrows -> Span {
  let clock = ContinuousClock()
  let processor = processorMicroseconds()
  let start = clock.now
  try await body()
  let wall = (clock.now - start).microseconds
  return Span(wall: wall, processor: processorMicroseconds() - processor)
}

private func processorMicroseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Microseconds of one call: the median over batches of calls of about half a millisecond.
///
/// A batch is so short that most are not interrupted by other processes, and the median passes over
/// those that are.
func microsecondsPerCall(_ body: () throws -> Int) throws -> Double {
  let clock = ContinuousClock()
  var values = 0
  var size = 1
  var batches: [Double] = []
  let deadline = clock.now + .milliseconds(60)
  while clock.now < deadline || batches.count < 5 {
    let start = clock.now
    for _ in 0..<size { values &+= try body() }
    let time = (clock.now - start).microseconds
    if batches.isEmpty, time < 500, size < 1 << 20 {
      size *= 2
    } else {
      batches.append(time / Double(size))
    }
  }
  if values == 0 { throw BenchmarkError("a question was answered with nothing") }
  return median(batches)
}

extension Duration {
  var microseconds: Double {
    Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
  }
}

/// The middle value; of an even number, the lower of the two in the middle.
func median(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[(values.count - 1) / 2]
}
