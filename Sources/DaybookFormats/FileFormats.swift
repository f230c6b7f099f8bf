/// The supported file formats, and the detection of a file's format.
public enum FileFormats {
  /// All formats, in the order in which they are tried.
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

  /// Returns the format with a name, or `nil` if there is none.
  public static func named(
    _ name: String, among formats: [any FileFormat.Type] = all
  ) -> (any FileFormat.Type)? {
    formats.first { $0.name == name.lowercased() }
  }

  /// Returns the formats that a file may have.
  ///
  /// Only the formats with the highest ``Recognition`` are returned. If several formats have the
  /// same likelihood, the file's extension decides.
  ///
  /// - Parameter formats: The formats to try. Pass another list if the app supports more formats
  ///   than ``all``.
  /// - Returns: An empty array if no format recognises the file; more than one format if the file
  ///   is ambiguous.
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
