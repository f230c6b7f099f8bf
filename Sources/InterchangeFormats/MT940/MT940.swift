import Bookkeeping
import Entities

/// Customer statements and interim reports of SWIFT: MT940 and MT942.
public enum MT940: FileFormat {
  /// `mt940`.
  public static let name = "mt940"
  /// What people call it.
  public static let title = "MT940, MT942 (SWIFT)"
  /// The names banks give such files.
  public static let endings = [".sta", ".mt940", ".mt942", ".940", ".942", ".swi"]

  /// A message is known by fields at the beginning of lines; a single field could be anything.
  public static func recognise(_ head: FileHead) -> Recognition {
    // Tags are ASCII, in whatever encoding a text can't be read by its guess.
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

  /// Reads every statement of every message of a file.
  /// - Throws: `InterchangeError` of code `format` or `encoding`.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    do throws(InterchangeError) {
      let (text, isOfDOS) = try MT940Encoding.text(file, options.encoding)
      if let place = ValidText.invalidByte(in: text.span) {
        throw InterchangeError(
          .encoding, "The file is not valid UTF-8.",
          remedy: "Name its encoding, such as windows-1252 or iso-8859-1.",
          line: text[..<place].count { $0 == 0x0A } + 1)
      }
      var reader = MT940Reader(text, options)
      if isOfDOS {
        reader.notice(
          1, "The file is read in code page 852 of DOS; name its encoding if that is wrong.")
      }
      return try reader.read()
    } catch {
      var error = error
      error.path = file.name
      throw error
    }
  }
}
