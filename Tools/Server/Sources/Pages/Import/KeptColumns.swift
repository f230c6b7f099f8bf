import Daybook
import Interchange

/// Columns that a person corrected, kept so that the bank's next file is read as this one was.
enum KeptColumns {
  /// The name of the field that says under which name.
  static let field = "keepAs"

  /// Asks for the name, where something was corrected; without one nothing is kept.
  static func html(
    _ read: ReadFile, _ file: RawFile, _ columns: ImportColumns, _ context: PageContext
  ) -> HTML? {
    guard let mapping = read.mapping, !columns.kept.isEmpty else { return nil }
    let stem = file.name.split(separator: ".").first.map(String.init)
    let name = context.field(field) ?? read.fits.first?.name ?? mapping.account.literal ?? stem
    return """
      <p><label for="f-keep">\(context[.keepColumns])</label> <input id="f-keep" name="\(field)" value="\(name ?? "")"></p>
      """
  }

  /// Says as which kept mapping the file was read.
  static func note(
    _ read: ReadFile, _ columns: ImportColumns, _ context: PageContext
  ) -> HTML? {
    guard columns.kept.isEmpty, read.fits.count == 1, let fit = read.fits.first else { return nil }
    let link = "\(MappingForm.path)/\(fit.id)/edit"
    return "<p class=\"aside\">\(context[.readAs]) <a href=\"\(link)\">\(fit.name)</a></p>"
  }

  /// What keeps them; `nil` where nothing is to be kept.
  ///
  /// A mapping that the file fits already is replaced, so that one alone fits the next.
  static func command(
    _ read: ReadFile, _ file: RawFile, _ columns: ImportColumns, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> Command? {
    guard let mapping = read.mapping, !columns.kept.isEmpty,
      let name = SentForm(context).optional(field)
    else { return nil }
    let old = try snapshot.mappings().first {
      Folding.key($0.name) == Folding.key(name)
    }
    let account = try mapping.account.literal.flatMap { try snapshot.account(named: $0)?.id }
    return .putMapping(
      SavedMapping(
        id: read.fits.first?.id ?? old?.id ?? .new, name: name,
        contents: String(decoding: try mapping.json(), as: UTF8.self),
        look: try ImportLook(of: file, mapping), account: account))
  }
}
