#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The duration of an operation, in microseconds.
struct Span {
  /// The wall time, which other processes can lengthen.
  var wall = 0.0
  /// The processor time of all threads of this process.
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

/// The duration of one call in microseconds: the median over batches of about half a millisecond.
///
/// Batches are short, so that other processes interrupt few of them, and the median ignores these.
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

/// The median; for an even number of values, the lower of the two middle ones.
func median(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[(values.count - 1) / 2]
}
