import Daybook
import Foundation

/// The parts of a split in its form, with amounts that add up to the total.
struct SplitParts: Equatable {
  /// A line of the form, as typed.
  struct Line: Equatable {
    var amount = ""
    /// The id of a category, or `to:` and the id of the account that receives the part.
    var category = ""
    var note = ""

    var isBlank: Bool { amount.isEmpty && note.isEmpty }

    /// The account that receives the part.
    var account: AccountID? {
      category.hasPrefix("to:") ? AccountID(String(category.dropFirst(3))) : nil
    }

    /// Whether the part has the other direction in a split, which is income or not.
    func isOther(ofIncome isIncome: Bool, _ names: NameBook) -> Bool {
      if account != nil { return isIncome }
      return CategoryID(category).map { names.isIncome($0) != isIncome } ?? false
    }
  }

  var lines: [Line] = []

  /// Reads the lines of a submitted form.
  init(sent context: PageContext) {
    self.init { name in context.request.form.filter { $0.name == name }.map(\.value) }
  }

  /// Reads the lines of a form with other fields.
  init(_ form: SentForm) { self.init { form.values[$0] ?? [] } }

  private init(_ all: (String) -> [String]) {
    let (amounts, categories, notes) = (all("part-amount"), all("part-category"), all("part-note"))
    lines = amounts.indices.map { index in
      Line(
        amount: amounts[index].trimmingCharacters(in: .whitespaces),
        category: index < categories.count ? categories[index] : "",
        note: index < notes.count ? notes[index] : "")
    }
  }

  /// Creates a number of empty lines, at most 40.
  init(blank count: Int) { lines = Array(repeating: Line(), count: min(max(count, 0), 40)) }

  /// Creates the lines of a recurring transaction's parts.
  init(_ template: SeriesTemplate, _ context: PageContext) {
    lines = template.parts.map { part in
      let money = Money(
        part.isReversed ? -part.amount.minorUnits : part.amount.minorUnits, part.amount.currency)
      return Line(
        amount: AmountText.typed(money, context.locale),
        category: part.account.map { "to:\($0)" } ?? part.category.map { "\($0)" } ?? "",
        note: part.note)
    }
  }

  /// The values of the fields, as a submitted form has them.
  var values: [String: [String]] {
    [
      "part-amount": lines.map(\.amount), "part-category": lines.map(\.category),
      "part-note": lines.map(\.note),
    ]
  }

  /// Creates the lines of an existing split; empty if it has several currencies.
  init(_ transaction: Transaction, _ context: PageContext, _ names: NameBook) {
    guard let own = transaction.ownSide, transaction.hasParts else { return }
    let currency = own.amount.currency
    guard transaction.postings.allSatisfy({ $0.amount.currency == currency }) else { return }
    let isIncome = transaction.isInflow
    for posting in transaction.postings {
      if let id = posting.accountID {
        if id == own.account { continue }
        lines.append(
          Line(
            amount: AmountText.typed(posting.amount, context.locale),
            category: "to:\(id)", note: posting.note))
        continue
      }
      guard case .category(let id) = posting.account else { continue }
      // In the category's posting, income is negative.
      let units = isIncome ? -posting.amount.minorUnits : posting.amount.minorUnits
      // A part's sign is relative to its split, so it is reversed if the category is of the other
      // kind.
      let isOther = names.isIncome(id) != isIncome
      lines.append(
        Line(
          amount: AmountText.typed(Money(isOther ? -units : units, currency), context.locale),
          category: id.isBuiltin ? "" : "\(id)", note: posting.note))
    }
  }

  var isUsed: Bool { lines.contains { !$0.isBlank } }

  /// Returns the amount that remains for further parts, or `nil` if a part is invalid.
  func remainder(
    of amount: Money, isIncome: Bool, _ context: PageContext, _ names: NameBook
  ) -> Money? {
    var rest = amount
    for line in lines where !line.isBlank {
      guard let part = AmountText.read(line.amount, amount.currency, context.locale) else {
        return nil
      }
      let isOther = line.isOther(ofIncome: isIncome, names)
      guard let next = try? isOther ? rest + part : rest - part else { return nil }
      rest = next
    }
    return rest
  }

  /// Returns the split, or `nil` if a part is invalid.
  func split(
    _ account: AccountID, _ currency: Currency, isIncome: Bool, _ context: PageContext
  ) -> Draft.Split? {
    var parts: [Draft.Part] = []
    for line in lines where !line.isBlank {
      guard let money = AmountText.read(line.amount, currency, context.locale) else { return nil }
      let size = Money(abs(money.minorUnits), currency)
      let isReversed = money.minorUnits < 0
      parts.append(
        line.account.map {
          Draft.Part(size, to: $0, note: line.note, isReversed: isReversed)
        }
          ?? Draft.Part(size, CategoryID(line.category), note: line.note, isReversed: isReversed))
    }
    return Draft.Split(account: account, kind: isIncome ? .income : .expense, parts: parts)
  }
}

extension Transaction {
  /// Whether the account's balance increases.
  ///
  /// The transaction's type doesn't determine this, because a split can have income and expense
  /// parts.
  var isInflow: Bool { (ownSide?.amount.minorUnits ?? 0) > 0 }

  /// Whether money comes back from an expense category.
  var isRefund: Bool { type == .expense && !hasParts && isInflow }

  /// The first account, and its change.
  var ownSide: (account: AccountID, amount: Money)? {
    if type == .transfer { return account.flatMap { id in amount.map { (id, $0) } } }
    for posting in postings {
      if let id = posting.accountID, id != .exchange { return (id, posting.amount) }
    }
    return nil
  }

  /// Whether there are several parts: categories, or an account and a category.
  var hasParts: Bool {
    let isMixed = amount == nil && postings.contains { $0.categoryID != nil }
    return isSplit || isMixed
  }
}

/// Renders the lines of a split in a form.
enum SplitPartsForm {
  static func html(
    _ parts: SplitParts, _ fault: String?, _ remainder: Money?, _ context: PageContext,
    _ names: NameBook
  ) -> HTML {
    let wrong = fault.map { text -> HTML in
      "<span class=\"fault\" id=\"fault-parts\">\(text)</span>"
    }
    let rest = remainder.map { context.amount($0) } ?? "–"
    return """
      <fieldset class="parts"><legend>\(context[.parts])</legend>\(lines(parts, context, names))\(wrong)
      <p><button name="do" value="part" formnovalidate>\(context[.addPart])</button> \
      \(context[.remainder]): <output data-mark="\(context.typed("."))">\(rest)</output></p></fieldset>
      """
  }

  /// Returns an input for each line of the parts.
  static func lines(_ parts: SplitParts, _ context: PageContext, _ names: NameBook) -> [HTML] {
    let accounts = TransactionFilterForm.accounts(names).map { ("to:\($0.0)", "→ \($0.1)") }
    let categories = TransactionFilterForm.categories(names, context) + accounts
    return parts.lines.enumerated().map { index, line -> HTML in
      let options = categories.map { value, text -> HTML in
        let selected: HTML = value == line.category ? " selected" : ""
        let kind: HTML =
          CategoryID(value).map { names.isIncome($0) } == true ? " data-kind=\"income\"" : ""
        return "<option value=\"\(value)\"\(kind)\(selected)>\(text)</option>"
      }
      let number = context.number(index + 1)
      return """
        <div class="part"><input name="part-amount" inputmode="decimal" size="9" value="\(line.amount)" aria-label="\(context[.amount]) \(number)">\
        <select name="part-category" aria-label="\(context[.category]) \(number)"><option value="">–</option>\(options)</select>\
        <input name="part-note" value="\(line.note)" aria-label="\(context[.note]) \(number)"></div>
        """
    }
  }
}
