import Daybook

/// The form for creating, changing and deleting entities of one kind.
protocol EntityForm: SendableMetatype {
  associatedtype Entity: LedgerEntity

  /// The path for new entities, such as `/accounts`; an existing entity's form is at `ID/edit`
  /// below it.
  static var path: String { get }
  static var view: MenuView { get }
  /// The title of the form for a new entity.
  static var title: Word { get }

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> Entity?
  static func name(_ entity: Entity, _ names: NameBook, _ context: PageContext) -> String

  /// Returns the fields of the form; `entity` is `nil` for a new entity.
  static func fields(
    _ entity: Entity?, _ names: NameBook, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> [FormField]

  /// Returns the initial values of the fields.
  static func values(_ entity: Entity?, _ context: PageContext) -> SentForm

  /// Returns the commands for a submitted form; adds errors to the form if it is invalid.
  static func commands(
    _ form: inout SentForm, _ entity: Entity?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command]

  /// Returns the ways to delete an entity; if there are several, the user chooses one.
  static func deletions(
    _ entity: Entity, _ names: NameBook, _ context: PageContext
  ) -> [Deletion]

  /// Returns further content for the page below the form.
  static func more(
    _ entity: Entity, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML
}

extension EntityForm {
  static func more(
    _ entity: Entity, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML { HTML() }

  /// Returns a link to an entity's form, or `nil` if nothing can be changed.
  static func link(_ id: EntityID, _ name: String, _ context: PageContext) -> HTML? {
    guard context.canWrite else { return nil }
    return """
      <a class="aside edit" href="\(path)/\("\(id)")/edit" aria-label="\(context[.edit]): \(name)">\(context[.edit])</a>
      """
  }

  /// Returns the form for a new entity; it is collapsed unless the user submitted it with errors.
  static func new(
    _ names: NameBook, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    guard context.canWrite else { return HTML() }
    let isBack = context.sent != nil
    var form = context.sent ?? values(nil, context)
    let fields = try fields(nil, names, context, snapshot)
    if form.values["currency"] == nil, let base = try snapshot.settings().baseCurrency {
      form.values["currency"] = [base.code]
    }
    // Without an account, nothing else can be recorded, so expand the form for the first account.
    let isFirst = path == AccountForm.path && names.accounts.isEmpty
    let open: HTML = isBack || isFirst ? " open" : ""
    return """
      <details class="card add"\(open)><summary>\(context[title])</summary>\(FormText.html(path, fields, form, context))</details>
      """
  }
}

/// A way to delete an entity.
struct Deletion: Sendable {
  /// The value in the submitted form.
  var value: String
  var text: String
  var command: Command
}

/// Renders a form with its fields.
enum FormText {
  static func html(
    _ path: String, _ fields: [FormField], _ form: SentForm, _ context: PageContext,
    cancel: String? = nil, more: HTML = HTML()
  ) -> HTML {
    let back = cancel.map { path -> HTML in
      "<a class=\"button\" href=\"\(path)\">\(context[.cancel])</a>"
    }
    let mend = form.faults[""] ?? (form.faults.isEmpty ? nil : context[.mend])
    let fault = mend.map { text -> HTML in "<p class=\"problem\" role=\"alert\">\(text)</p>" }
    return """
      \(fault)<form method="post" action="\(path)" class="grid">\(more)\(fields.map { $0.html(form, context) })
      <p class="actions"><button class="main">\(context[.save])</button> \(back)</p></form>
      """
  }
}
