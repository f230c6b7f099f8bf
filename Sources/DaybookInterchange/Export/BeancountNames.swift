import Daybook

/// Maps account names to unique names that Beancount allows.
struct BeancountNames {
  private var names: [String: String] = [:]

  init(_ journal: JournalNames) {
    var taken: Set<String> = []
    for name in journal.all {
      let plain = name.split(separator: ":", omittingEmptySubsequences: false).map(Self.part)
      // Add a part if there is only a root, which isn't a valid account.
      let wanted = (plain.count > 1 ? plain : plain + ["General"]).joined(separator: ":")
      var candidate = wanted
      var copy = 2
      while !taken.insert(candidate).inserted {
        candidate = "\(wanted)-\(copy)"
        copy += 1
      }
      names[name] = candidate
    }
  }

  subscript(name: String) -> String { names[name] ?? "Equity:Unknown" }

  /// Returns a part of a name with only letters, digits and `-`, beginning with a capital letter or
  /// a digit.
  private static func part(_ name: Substring) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      let properties = scalar.properties
      let isKept =
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
          .decimalNumber:
          true
        default: scalar == "-"
        }
      if isKept {
        result.unicodeScalars.append(scalar)
      } else if result.last != "-", !result.isEmpty {
        result.append("-")
      }
    }
    while result.last == "-" { result.removeLast() }
    while result.first == "-" { result.removeFirst() }
    guard let first = result.unicodeScalars.first else { return "X" }
    switch first.properties.generalCategory {
    case .uppercaseLetter, .decimalNumber: return result
    case .lowercaseLetter:
      let upper = String(first).uppercased()
      // A letter without a single uppercase equivalent gets an `X` in front of it.
      return upper.unicodeScalars.count == 1 && upper != String(first)
        ? upper + String(result.unicodeScalars.dropFirst()) : "X" + result
    default: return "X" + result
    }
  }
}

/// The Beancount form of a label: a tag or link, metadata, or a numbered text.
enum BeancountLabel {
  case word(String)
  case metadata(String, String)
  case other

  private static let reserved: Set<String> = ["code", "valueday", "note", "filename", "lineno"]

  /// Chooses the form of a label.
  ///
  /// - Parameter keys: The metadata keys that are in use. A key may occur only once.
  init(_ label: String, besides keys: [String]) {
    if Self.isWord(label) {
      self = .word("#\(label)")
    } else if label.hasPrefix("^"), Self.isWord(String(label.dropFirst())) {
      self = .word(label)
    } else if let colon = label.firstIndex(of: ":"),
      Self.isKey(label[..<colon]), !keys.contains(String(label[..<colon])),
      Self.isPlain(label[label.index(after: colon)...])
    {
      self = .metadata(
        String(label[..<colon]), String(label[label.index(after: colon)...]))
    } else {
      self = .other
    }
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 <= 9 || "-_/.".utf8.contains($0)
      }
  }

  private static func isKey(_ text: Substring) -> Bool {
    guard text.utf8.count > 1, let first = text.utf8.first, first &- 0x61 < 26 else { return false }
    return !reserved.contains(String(text)) && !text.hasPrefix("label")
      && text.utf8.allSatisfy {
        $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 <= 9 || $0 == 0x2D || $0 == 0x5F
      }
  }

  /// Returns whether a value survives a round trip.
  ///
  /// The value must not be empty, begin or end with a space, or contain two spaces in a row.
  private static func isPlain(_ text: Substring) -> Bool {
    !text.isEmpty && text.split(whereSeparator: \.isWhitespace).joined(separator: " ") == text
  }
}
