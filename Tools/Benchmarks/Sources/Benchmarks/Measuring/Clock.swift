/// Microseconds that `body` takes.
func microseconds(_ body: () async throws -> Void) async rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  try await body()
  return (clock.now - start).microseconds
}

/// Microseconds of one call: repeated for a twentieth of a second, at least three times.
func microsecondsPerCall(_ body: () throws -> Int) throws -> Double {
  let clock = ContinuousClock()
  var calls = 0
  var values = 0
  let start = clock.now
  var elapsed = Duration.zero
  while elapsed < .milliseconds(50) || calls < 3 {
    for _ in 0..<(calls < 100 ? 1 : 100) {
      values &+= try body()
      calls += 1
    }
    elapsed = clock.now - start
  }
  if values == 0 { throw BenchmarkError("a question was answered with nothing") }
  return elapsed.microseconds / Double(calls)
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
