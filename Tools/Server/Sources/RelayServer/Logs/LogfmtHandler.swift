import Foundation
public import Logging

/// A log handler that writes each message as a line of logfmt, `name=value`.
///
/// Values with spaces, quotes, `=` or backslashes are quoted.
///
/// `time` (UTC), `level`, `logger` and `message` come first, followed by the metadata sorted by
/// name.
public struct LogfmtHandler: LogHandler {
  /// The lowest level that is written.
  public var logLevel = Logger.Level.notice
  /// The metadata written with each message.
  public var metadata: Logger.Metadata = [:]

  private let label: String
  private let write: @Sendable (String) -> Void

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - label: The logger's name.
  ///   - write: Called with each line, including its newline; by default, lines are written to
  ///     standard error.
  public init(label: String, write: (@Sendable (String) -> Void)? = nil) {
    self.label = label
    self.write = write ?? { FileHandle.standardError.write(Data($0.utf8)) }
  }

  /// The metadata value with the given name.
  public subscript(metadataKey name: String) -> Logger.Metadata.Value? {
    get { metadata[name] }
    set { metadata[name] = newValue }
  }

  /// Writes a line.
  public func log(event: LogEvent) {
    let values = metadata.merging(event.metadata ?? [:]) { $1 }
    let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let first = [
      ("time", time), ("level", "\(event.level)"), ("logger", label),
      ("message", "\(event.message)"),
    ]
    let rest = values.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
    write((first + rest).map { "\($0)=\(Self.quoted($1))" }.joined(separator: " ") + "\n")
  }

  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0 != "\"" && $0 != "=" && $0 != "\\" && $0.value != 0x7f
    }
    if isPlain, !value.isEmpty { return value }
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      default:
        if scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value {
          text += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
  }
}
