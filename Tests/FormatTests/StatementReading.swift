import DaybookBookkeeping
import Testing

@testable import DaybookFormats

/// Reads a text as a format, with euros where it names no currency.
func readStatement(
  _ text: String, _ format: any FileFormat.Type, _ options: ReadingOptions? = nil
) throws(InterchangeError) -> FileContents {
  var plain = ReadingOptions()
  plain.currency = Currency.iso("EUR")
  return try format.read(RawFile(Array(text.utf8), name: "x"), options ?? plain)
}

/// The error of a text that can't be read, or `nil`.
func readingFault(_ text: String, _ format: any FileFormat.Type) -> InterchangeError? {
  do {
    _ = try readStatement(text, format)
    return nil
  } catch {
    return error
  }
}

/// A generator of random numbers with a seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
