import Daybook
import DaybookPlatform
import DaybookTerminal

/// The writing of answers to standard output, and of remarks and failures to standard error.
enum Output {
  /// The code of the failure that occurs on writing to a closed pipe.
  static let closedPipe = "closedPipe"

  /// Writes a whole text to a file descriptor.
  ///
  /// - Throws: `CommandFailure` if writing fails.
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) throws {
    try write(Array(text.utf8), to: descriptor)
  }

  /// Writes all bytes to a file descriptor.
  ///
  /// - Throws: `CommandFailure` if writing fails.
  static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) throws {
    var failure: Int32?
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        #if canImport(Darwin)
          let written = Darwin.write(descriptor, rest.baseAddress, rest.count)
        #elseif canImport(Glibc)
          let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
        #else
          let written = Musl.write(descriptor, rest.baseAddress, rest.count)
        #endif
        if written < 0, errno == EINTR { continue }
        guard written >= 0 else {
          failure = errno
          return
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
    }
    if let failure {
      throw CommandFailure(
        .inputOutput, code: failure == EPIPE ? closedPipe : "system",
        "Couldn't write the output: \(reason(failure)).",
        remedy: "Free some space, or write it somewhere else.")
    }
  }

  /// Writes a sentence, wrapped to the terminal's width.
  static func line(_ text: String) throws {
    try lines([text])
  }

  /// Writes lines, wrapped to the terminal's width.
  static func lines(_ lines: [String]) throws {
    let terminal = Terminal.output
    try write(lines.flatMap { terminal.prose($0) }.map { $0 + "\n" }.joined())
  }

  /// Writes a table, or a sentence if it is empty.
  static func table(_ table: TextTable, ifEmpty sentence: String) throws {
    try table.isEmpty ? line(sentence) : lines(table.lines(for: .output))
  }

  /// Writes an answer as JSON, for scripts.
  static func json(_ answer: JSONAnswer) throws {
    try write(answer.value().indented + "\n")
  }

  /// A failure in its JSON form.
  private struct Complaint: Encodable, Sendable {
    var code: String
    var message: String
    var remedy: String
    var details: [String]
    var exitCode: Int32
  }

  /// Writes a remark, which isn't part of the answer, to standard error.
  static func remark(_ text: String) throws {
    let lines = Terminal.errors.prose(text)
    try write(lines.map { $0 + "\n" }.joined(), to: STDERR_FILENO)
  }

  /// The maximum number of details shown to people; scripts get all details.
  private static let shownDetailCount = 20

  /// Writes a failure to standard error, as lines for people or as JSON for scripts.
  static func complain(_ failure: CommandFailure, json: Bool) {
    let text: String
    if json {
      let complaint = Complaint(
        code: failure.code, message: failure.message, remedy: failure.remedy,
        details: failure.details, exitCode: failure.status.rawValue)
      // Encoding cannot fail for strings and a small number.
      text = (try? JSONAnswer(["error": complaint]).value().indented) ?? failure.message
    } else {
      let inColour = Terminal.errors.inColour
      let message = failure.message.printable.ended
      var lines = [Style.red.apply(to: "Error: ", inColour: inColour) + message]
      let details = failure.gatheredDetails ?? failure.details
      lines += details.prefix(shownDetailCount).map { "  " + $0.printable }
      if details.count > shownDetailCount {
        lines.append(
          "  … and \(details.count - shownDetailCount) more (--json shows all)")
      }
      lines += failure.remedy.split(separator: "\n").map { String($0).printable }
      text = lines.flatMap { Terminal.errors.prose($0) }.joined(separator: "\n")
    }
    // If even standard error can't be written, the exit code still reports the failure.
    _ = try? write(text + "\n", to: STDERR_FILENO)
  }

  /// Returns the operating system's description of an error code.
  static func reason(_ code: Int32) -> String {
    String(cString: strerror(code))
  }
}
