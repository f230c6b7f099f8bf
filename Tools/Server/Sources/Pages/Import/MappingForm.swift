import Daybook
import DaybookInterchange

/// The form for changing the name or account of a saved mapping, or deleting it.
///
/// Columns can be corrected in the preview of the bank's next file.
enum MappingForm: EntityForm {
  static let path = "/mappings"
  static let view = MenuView.importing
  static let title = Word.keptMappings

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> SavedMapping? {
    try snapshot.mappings().first { $0.entityID == id }
  }

  static func name(_ entity: SavedMapping, _ names: NameBook, _ context: PageContext) -> String {
    entity.name
  }

  static func fields(
    _ entity: SavedMapping?, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [FormField] {
    [
      .text("name", .name, isRequired: true),
      .choice("account", .account, TransactionFilterForm.accounts(names), isOptional: true),
    ]
  }

  static func values(_ entity: SavedMapping?, _ context: PageContext) -> SentForm {
    guard let entity else { return SentForm() }
    return SentForm(["name": entity.name, "account": entity.account.map { "\($0)" } ?? ""])
  }

  static func commands(
    _ form: inout SentForm, _ entity: SavedMapping?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command] {
    // A new mapping is created only by importing a file.
    guard var mapping = entity else { throw PageError.notFound }
    mapping.name = form.needed("name", context)
    mapping.account = form.id("account", context)
    return mapping == entity ? [] : [.putMapping(mapping)]
  }

  static func deletions(
    _ entity: SavedMapping, _ names: NameBook, _ context: PageContext
  ) -> [Deletion] {
    [Deletion(value: "", text: "", command: .removeMapping(entity.id))]
  }

  /// Returns the list of saved mappings, shown below the upload form.
  static func list(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> HTML {
    let names = try NameBook(snapshot)
    let rows = try snapshot.mappings().map { mapping -> HTML in
      let columns = mapping.look.header.joined(separator: ", ")
      return """
        <tr><th scope="row">\(mapping.name) \(link(mapping.entityID, mapping.name, context))</th>\
        <td>\(mapping.account.map { names.name($0) } ?? "")</td><td class="aside">\(columns)</td></tr>
        """
    }
    guard !rows.isEmpty else { return HTML() }
    return """
      <section class="card"><h2>\(context[title])</h2><div class="scroll"><table class="figures"><thead><tr><th scope="col">\(context[.name])</th>\
      <th scope="col">\(context[.account])</th><th scope="col">\(context[.columns])</th></tr></thead><tbody>\(rows)</tbody></table></div></section>
      """
  }
}
