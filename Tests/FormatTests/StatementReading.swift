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
