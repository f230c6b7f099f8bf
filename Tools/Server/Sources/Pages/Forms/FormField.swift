import Daybook

/// A field of a form.
struct FormField {
  enum Kind {
    /// An input with an HTML type.
    case text(String)
    /// A list with one choice.
    case choice([(value: String, text: String)], isOptional: Bool)
    /// A list with several choices.
    case several([(value: String, text: String)])
    /// A checkbox.
    case flag
    /// The lines of a split, with empty ones for further parts.
    case parts(NameBook)
  }

  var name: String
  var word: Word
  var kind: Kind
  var isRequired = false
  /// Whether the field has the focus when the page opens.
  var isFirst = false
  var hint: String?

  static func text(
    _ name: String, _ word: Word, type: String = "text", isRequired: Bool = false,
    hint: String? = nil
  ) -> FormField {
    FormField(name: name, word: word, kind: .text(type), isRequired: isRequired, hint: hint)
  }

  static func choice(
    _ name: String, _ word: Word, _ choices: [(String, String)], isOptional: Bool = false,
    hint: String? = nil
  ) -> FormField {
    FormField(
      name: name, word: word, kind: .choice(choices, isOptional: isOptional), hint: hint)
  }

  static func several(_ name: String, _ word: Word, _ choices: [(String, String)]) -> FormField {
    FormField(name: name, word: word, kind: .several(choices))
  }

  static func flag(_ name: String, _ word: Word) -> FormField {
    FormField(name: name, word: word, kind: .flag)
  }

  static func parts(_ names: NameBook) -> FormField {
    FormField(name: "parts", word: .parts, kind: .parts(names))
  }

  /// Returns the field with its current value and error.
  func html(_ form: SentForm, _ context: PageContext) -> HTML {
    let fault = form.faults[name].map { text -> HTML in
      "<span class=\"fault\" id=\"fault-\(name)\">\(text)</span>"
    }
    let wrong: HTML? =
      fault == nil ? nil : " aria-invalid=\"true\" aria-describedby=\"fault-\(name)\""
    let required: HTML = "\(isRequired ? " required" : "")\(isFirst ? " autofocus" : "")"
    let hint =
      fault == nil ? hint.map { text -> HTML in "<span class=\"aside\">\(text)</span>" } : nil
    let label: HTML = "<label for=\"f-\(name)\">\(context[word])</label>"
    let value = form.values[name]?.first ?? ""
    switch kind {
    case .text(let type):
      return """
        <p>\(label)<input id="f-\(name)" name="\(name)" type="\(type)" value="\(value)"\(required)\(wrong)>\(fault)\(hint)</p>
        """
    case .choice(let choices, let isOptional):
      let none: HTML? = isOptional ? "<option value=\"\">–</option>" : nil
      return """
        <p>\(label)<select id="f-\(name)" name="\(name)"\(required)\(wrong)>\(none)\(options(choices, [value]))</select>\(fault)\(hint)</p>
        """
    case .several(let choices):
      return """
        <p>\(label)<select id="f-\(name)" name="\(name)" multiple size="5"\(wrong)>\(options(choices, form.all(name)))</select>\(fault)\(hint)</p>
        """
    case .parts(let names):
      var parts = SplitParts(form)
      let open: HTML = parts.isUsed || fault != nil ? " open" : ""
      parts.lines = parts.lines.filter { !$0.isBlank } + SplitParts(blank: 3).lines
      return """
        <details class="parts"\(open)><summary>\(context[word])</summary><fieldset class="parts"><legend>\(context[word])</legend>\
        \(SplitPartsForm.lines(parts, context, names))\(fault)</fieldset></details>
        """
    case .flag:
      let checked: HTML? = form.isOn(name) ? " checked" : nil
      return """
        <p class="flag"><input id="f-\(name)" name="\(name)" type="checkbox" value="on"\(checked)\(wrong)> \(label)\(fault)</p>
        """
    }
  }

  private func options(
    _ choices: [(value: String, text: String)], _ chosen: [String]
  ) -> [HTML] {
    let chosen = Set(chosen)
    return choices.map { value, text in
      let selected: HTML = chosen.contains(value) ? " selected" : ""
      return "<option value=\"\(value)\"\(selected)>\(text)</option>"
    }
  }
}
