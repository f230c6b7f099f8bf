import Daybook

/// How an entity of some kind is made, changed and deleted by a form.
protocol EntityForm: SendableMetatype {
  associatedtype Entity: LedgerEntity

  /// Where its forms are sent, such as `/accounts`; below it is `ID/edit`.
  static var path: String { get }
  static var view: MenuView { get }
  /// What the form of a new one is called.
  static var title: Word { get }

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> Entity?
  static func name(_ entity: Entity, _ names: NameBook, _ context: PageContext) -> String

  /// The fields of the form: of a new one where there is no entity.
  static func fields(
    _ entity: Entity?, _ names: NameBook, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> [FormField]

  /// What stands in the form before anybody types.
  static func values(_ entity: Entity?, _ context: PageContext) -> SentForm

  /// What a form says; what is wrong becomes a fault of the form.
  static func commands(
    _ form: inout SentForm, _ entity: Entity?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command]

  /// The ways in which it can go, by what a form chooses; one where there is nothing to choose.
  static func deletions(
    _ entity: Entity, _ names: NameBook, _ context: PageContext
  ) -> [Deletion]

  /// What else can be done, below the form.
  static func more(
    _ entity: Entity, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML
}

extension EntityForm {
  static func more(
    _ entity: Entity, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML { HTML() }

  /// A link to the form of an entity, where anything can be changed.
  static func link(_ id: EntityID, _ name: String, _ context: PageContext) -> HTML? {
    guard context.canWrite else { return nil }
    return """
      <a class="aside edit" href="\(path)/\("\(id)")/edit" aria-label="\(context[.edit]): \(name)">\(context[.edit])</a>
      """
  }

  /// The form of a new one below a list, closed until it is wanted or has come back.
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
    // Without an account nothing else can be done.
    let isFirst = path == AccountForm.path && names.accounts.isEmpty
    let open: HTML = isBack || isFirst ? " open" : ""
    return """
      <details class="card add"\(open)><summary>\(context[title])</summary>\(FormText.html(path, fields, form, context))</details>
      """
  }
}

/// A way in which an entity can go.
struct Deletion: Sendable {
  /// What the form sends.
  var value: String
  var text: String
  var command: Command
}

/// A form with its fields.
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
