import DaybookBookkeeping
import DaybookEntities

/// SWIFT customer statements (MT940) and interim reports (MT942).
public enum MT940: FileFormat {
  /// The identifier `mt940`.
  public static let name = "mt940"
  /// The display name.
  public static let title = "MT940, MT942 (SWIFT)"
  /// The extensions that banks use.
  public static let endings = [".sta", ".mt940", ".mt942", ".940", ".942", ".swi"]

  /// Recognises messages by the field tags at the beginning of lines.
  ///
  /// A single tag isn't sufficient.
  public static func recognise(_ head: FileHead) -> Recognition {
    // The tags are ASCII, so they can be found even if the text can't be decoded.
    var scanner = MT940Scanner(head.text.isEmpty ? head.bytes : Array(head.text.utf8))
    var found: Set<MT940Tag> = []
    while let line = scanner.next() {
      guard let field = scanner.field(in: line) else { continue }
      found.insert(field.tag)
      if found.contains(.reference), !found.isDisjoint(with: [.account, .opening, .row]) {
        return .certain
      }
      if found.contains(.opening), found.contains(.row) { return .certain }
    }
    return found.isEmpty ? .no : .possible
  }

  /// Reads all statements of all messages in a file.
  /// - Throws: `InterchangeError` with code `format` or `encoding`.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    do throws(InterchangeError) {
      let (text, isOfDOS) = try MT940Encoding.text(file, options.encoding)
      if let place = ValidText.invalidByte(in: text.span) {
        throw InterchangeError(
          .encoding, "The file isn't valid UTF-8.",
          remedy: "Set its encoding, such as windows-1252 or iso-8859-1.",
          line: text[..<place].count { $0 == 0x0A } + 1)
      }
      var reader = MT940Reader(text, options)
      if isOfDOS {
        reader.notice(
          1, "The file was read in DOS code page 852; if that is wrong, set its encoding.")
      }
      return try reader.read()
    } catch {
      var error = error
      error.path = file.name
      throw error
    }
  }
}
