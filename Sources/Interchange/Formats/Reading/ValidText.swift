/// The check that a text is UTF-8 before it is read byte by byte.
enum ValidText {
  /// - Parameter path: The file that it is of, where several may be read.
  /// - Throws: `InterchangeError` of code `encoding` with line and column of the first byte that is not.
  static func check(_ bytes: [UInt8], of path: String? = nil) throws(InterchangeError) {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let place = TextPlace().advanced(to: error.byteOffsets.lowerBound, in: bytes)
      var error = InterchangeError(
        .encoding, "There are bytes here that are not UTF-8.",
        remedy: "Name the file's true encoding with --encoding, such as windows-1252.",
        line: place.line)
      error.column = place.column
      if let path { error.path = path }
      throw error
    }
  }
}
