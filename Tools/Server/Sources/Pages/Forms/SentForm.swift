import Daybook
import Foundation

/// A small form: its fields as they were typed, and what is wrong with them.
struct SentForm: Sendable {
  /// The fields by name.
  var values: [String: String]
  /// What is wrong, said above the form.
  var fault: String?

  init(_ context: PageContext) {
    values = Dictionary(
      context.request.form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  func text(_ name: String) -> String {
    (values[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func optional(_ name: String) -> String? {
    let text = text(name)
    return text.isEmpty ? nil : text
  }
}

/// A field of a small form.
enum FormField {
  /// A line of text.
  case text(String, Word, type: String = "text", isRequired: Bool = false)
  /// One of several.
  case choice(String, Word, [(String, String)], isOptional: Bool = false)

  func html(_ form: SentForm, _ context: PageContext) -> HTML {
    switch self {
    case .text(let name, let word, let type, let isRequired):
      let required: HTML = isRequired ? " required" : ""
      return """
        <p><label for="f-\(name)">\(context[word])</label>\
        <input id="f-\(name)" name="\(name)" type="\(type)" value="\(form.values[name] ?? "")"\(required)></p>
        """
    case .choice(let name, let word, let choices, let isOptional):
      return Choice.html(
        name, word, choices, form.values[name], context, isOptional: isOptional)
    }
  }
}

/// A small form below a list, closed until it is wanted or has come back.
enum SmallForm {
  static func html(
    _ path: String, _ title: Word, _ fields: [FormField], _ context: PageContext
  ) -> HTML {
    guard context.canWrite else { return HTML() }
    let form = SentForm(context)
    let isBack = context.request.method == "POST"
    let fault = context.fault.map { text -> HTML in
      "<p class=\"problem\" role=\"alert\">\(text)</p>"
    }
    let open: HTML = isBack ? " open" : ""
    return """
      <details class="card add"\(open)><summary>\(context[title])</summary>\(fault)
      <form method="post" action="\(path)" class="grid">\(fields.map { $0.html(form, context) })
      <p class="actions"><button class="main">\(context[.save])</button></p></form></details>
      """
  }
}
