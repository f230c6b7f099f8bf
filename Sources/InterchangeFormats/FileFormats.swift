/// The formats that are recognised, and which one a file is of.
public enum FileFormats {
  /// Every format, in the order in which they are asked.
  public static let all: [any FileFormat.Type] = [
    CAMT.self,
    MT940.self,
    HledgerFormat.self,
    LedgerFormat.self,
    BeancountFormat.self,
    OFX.self,
    GnuCash.self,
    QIF.self,
  ]

  /// The format of a name, or `nil`.
  public static func named(
    _ name: String, among formats: [any FileFormat.Type] = all
  ) -> (any FileFormat.Type)? {
    formats.first { $0.name == name.lowercased() }
  }

  /// The formats that a file may be of: the surest only, and by its name where several are as sure.
  ///
  /// - Parameter formats: those that are asked; others than ``all`` where an app knows more.
  /// - Returns: none where no format knows the file; more than one where it can't be told.
  public static func candidates(
    _ file: RawFile, among formats: [any FileFormat.Type] = all
  ) -> [any FileFormat.Type] {
    let head = FileHead(file)
    let answers = formats.map { (format: $0, recognition: $0.recognise(head)) }
    guard let surest = answers.map(\.recognition).max(), surest > .no else { return [] }
    let best = answers.filter { $0.recognition == surest }.map(\.format)
    let named = best.filter { $0.endings.contains(head.ending) }
    return named.isEmpty ? best : named
  }
}
