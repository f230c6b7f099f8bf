import Daybook
import DaybookInterchange

/// Corrected columns, which are saved as a mapping so that the bank's next file is read the same
/// way.
enum KeptColumns {
  /// The form field for the mapping's name.
  static let field = "keepAs"

  /// Returns the field for the mapping's name if columns were corrected.
  ///
  /// Without a name, no mapping is saved.
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

  /// Returns a note that names the saved mapping used for the file.
  static func note(
    _ read: ReadFile, _ columns: ImportColumns, _ context: PageContext
  ) -> HTML? {
    guard columns.kept.isEmpty, read.fits.count == 1, let fit = read.fits.first else { return nil }
    let link = "\(MappingForm.path)/\(fit.id)/edit"
    return "<p class=\"aside\">\(context[.readAs]) <a href=\"\(link)\">\(fit.name)</a></p>"
  }

  /// Returns the command that saves the mapping, or `nil` if there is nothing to save.
  ///
  /// The new mapping replaces a mapping that already matches the file, so that only one matches the
  /// next file.
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
        id: read.fits.first?.id ?? old?.id ?? .unassigned, name: name,
        contents: String(decoding: try mapping.json(), as: UTF8.self),
        look: try ImportLook(of: file, mapping), account: account))
  }
}
