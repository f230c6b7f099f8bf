import Daybook
import DaybookInterchange
import DaybookTerminal

/// A row-by-row review of an import, which handles keys and renders the screen.
///
/// The type depends on neither a terminal nor a ledger, so that tests can simulate keys.
struct ImportReview {
  /// The action that a key requests.
  enum Action {
    /// Wait for the next key.
    case goOn
    /// Record the accepted rows.
    case record
    /// Record nothing.
    case quit
    /// Ctrl-C or a closed terminal: record nothing.
    case interrupt
  }

  private enum Typing { case category, payee }

  private(set) var plan: ImportPlan
  private let title: String
  /// The existing categories, used to complete and check typed categories.
  private let categories: [String]
  private var place = 0
  private var past: [(place: Int, choices: [ImportPlan.Choice])] = []
  private var typing: Typing?
  private var text = ""
  private var remark = ""
  private var asksToRecord = false

  /// Creates a review that starts at the first new row.
  init(_ plan: ImportPlan, title: String, categories: [String]) {
    self.plan = plan
    self.title = title
    self.categories = categories
    place = plan.items.firstIndex { Self.isOpen($0) } ?? 0
  }

  private static func isOpen(_ item: ImportPlan.Item) -> Bool {
    item.isNew && item.choice == .undecided
  }

  private func count(_ holds: (ImportPlan.Item) -> Bool) -> Int { plan.items.count(where: holds) }

  private var openCount: Int { count(Self.isOpen) }

  private var takenCount: Int {
    count { if case .take = $0.choice { true } else { false } }
  }

  // MARK: Keys

  /// Handles a key.
  mutating func press(_ key: Key) -> Action {
    switch key {
    case .control("c"), .control("d"), .gone: return .interrupt
    case .resized: return .goOn
    default: break
    }
    if typing != nil {
      type(key)
      return .goOn
    }
    remark = ""
    let wasAsked = asksToRecord
    asksToRecord = false
    switch key {
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .character("t"), .character("y"), .enter: choose(taken)
    case .character("g"): takeSuggested()
    case .character("G"): takeAllSuggested()
    case .character("s"), .character("n"): choose(.skip)
    case .character("a"): takeAll()
    case .character("u"), .backspace: undo()
    case .character("c"): begin(.category)
    case .character("p"): begin(.payee)
    case .character("q"), .escape: return .quit
    case .character("r"):
      if takenCount == 0 {
        remark =
          "Nothing to import yet. Press t to take a transaction, or q to quit without "
          + "importing."
      } else if openCount > 0, !wasAsked {
        asksToRecord = true
        remark =
          "\(openCount == 1 ? "1 transaction is" : "\(openCount) transactions are") "
          + "undecided. Press r again to import only the others."
      } else {
        return .record
      }
    default: remark = "Unknown key. The available keys are listed below."
    }
    return .goOn
  }

  private var taken: ImportPlan.Choice {
    if case .take = plan.items[place].choice { return plan.items[place].choice }
    return .take(category: nil, payee: nil)
  }

  private mutating func move(by step: Int) {
    let next = place + step
    if plan.items.indices.contains(next) { place = next }
  }

  private mutating func remember() { past.append((place, plan.items.map(\.choice))) }

  private mutating func undo() {
    guard let last = past.popLast() else {
      remark = "There is nothing to undo."
      return
    }
    place = last.place
    for (index, choice) in last.choices.enumerated() { plan.items[index].choice = choice }
  }

  private mutating func choose(_ choice: ImportPlan.Choice, staying: Bool = false) {
    guard plan.items.indices.contains(place), plan.items[place].isNew else {
      remark = "This transaction is a duplicate or can't be imported."
      return
    }
    remember()
    plan.items[place].choice = choice
    if staying { return }
    let next = plan.items.indices.first { $0 > place && Self.isOpen(plan.items[$0]) }
    place = next ?? plan.items.indices.first { Self.isOpen(plan.items[$0]) } ?? place
  }

  /// Accepts all remaining new rows.
  ///
  /// Possible duplicates are left for the user to decide.
  private mutating func takeAll() {
    remember()
    for index in plan.items.indices
    where plan.items[index].state == .new && plan.items[index].choice == .undecided {
      plan.items[index].choice = .take(category: nil, payee: nil)
    }
    place = plan.items.indices.first { Self.isOpen(plan.items[$0]) } ?? place
  }

  /// Accepts the row with its suggested category.
  private mutating func takeSuggested() {
    guard plan.items.indices.contains(place), let suggested = plan.items[place].suggested else {
      remark = "There is no suggestion for this transaction."
      return
    }
    choose(suggested)
  }

  /// Accepts all undecided rows that have a suggested category, except possible duplicates.
  private mutating func takeAllSuggested() {
    let places = plan.items.indices.filter {
      plan.items[$0].state == .new && plan.items[$0].choice == .undecided
        && plan.items[$0].suggestion != nil
    }
    if places.isEmpty {
      remark = "There is no suggestion for the undecided transactions."
      return
    }
    remember()
    for index in places {
      if let suggested = plan.items[index].suggested { plan.items[index].choice = suggested }
    }
    place = plan.items.indices.first { Self.isOpen(plan.items[$0]) } ?? place
  }

  // MARK: Typing

  private mutating func begin(_ what: Typing) {
    guard plan.items.indices.contains(place), plan.items[place].isNew else {
      remark = "This transaction is a duplicate or can't be imported."
      return
    }
    if what == .category, !plan.items[place].hasCategory {
      remark = "A transfer or a transaction with a fee can't have a category."
      return
    }
    typing = what
    text = ""
  }

  private mutating func type(_ key: Key) {
    switch key {
    case .character(let character): text.append(character)
    case .backspace: _ = text.popLast()
    case .tab where typing == .category: if let match { text = match }
    case .escape: typing = nil
    case .enter: finish()
    default: break
    }
  }

  /// The first category whose path begins with the typed text, or else the first category with a
  /// level that begins with it.
  private var match: String? {
    guard !text.isEmpty else { return nil }
    let wanted = text.lowercased()
    return categories.first { $0.lowercased().hasPrefix(wanted) }
      ?? categories.first { path in
        path.lowercased().split(separator: ":").contains { $0.hasPrefix(wanted) }
      }
  }

  private mutating func finish() {
    let what = typing
    typing = nil
    guard !text.isEmpty else { return }
    var (category, payee): (CategoryPath?, String?) = (nil, nil)
    if case .take(let oldCategory, let oldPayee) = plan.items[place].choice {
      (category, payee) = (oldCategory, oldPayee)
    }
    switch what {
    case .category:
      let path = categories.first { $0.lowercased() == text.lowercased() } ?? text
      category = CategoryPath(leavingOutBlanksOf: path)
      if path == text, !categories.contains(text) { remark = "“\(text)” will be created." }
    case .payee: payee = text
    case nil: return
    }
    choose(.take(category: category, payee: payee), staying: true)
  }

  // MARK: Screen

  /// The lines of the screen.
  func lines(rows: Int, columns: Int, inColour: Bool) -> [String] {
    var head = ["\(title): \(summary)", ""].map { $0.printable.truncated(to: columns) }
    let foot = self.foot.map { $0.0.printable.truncated(to: columns).styled($0.1, inColour) }
    let room = max(1, rows - head.count - foot.count - 1)
    let start = max(0, min(place - room / 2, plan.items.count - room))
    for index in plan.items.indices.dropFirst(start).prefix(room) {
      let (text, style) = line(index)
      let mark = index == place ? "> " : "  "
      head.append((mark + text).printable.truncated(to: columns).styled(style, inColour))
    }
    return head + [""] + foot
  }

  private var summary: String {
    let known = count { $0.state == .known }
    let skipped = count { $0.choice == .skip }
    let bad = count { if case .bad = $0.state { true } else { false } }
    var parts = ["\(takenCount) taken", "\(skipped) skipped", "\(openCount) to decide"]
    if known > 0 { parts.append("\(known) duplicate\(known == 1 ? "" : "s")") }
    if bad > 0 { parts.append("\(bad) that can't be imported") }
    return parts.joined(separator: ", ")
  }

  private func line(_ index: Int) -> (String, Style) {
    let item = plan.items[index]
    let row = item.row
    var (category, payee) = ("\(row.category)", row.payee)
    var (mark, style): (String, Style)
    switch item.state {
    case .known: (mark, style) = ("dup    ", .dim)
    case .bad: (mark, style) = ("bad    ", .red)
    case .likely: (mark, style) = ("maybe  ", .yellow)
    case .new: (mark, style) = ("new    ", .plain)
    }
    switch item.choice {
    case .undecided: break
    case .skip: (mark, style) = ("skip   ", .dim)
    case .take(let newCategory, let newPayee):
      (mark, style) = ("take   ", .green)
      if let newCategory {
        category = "\(newCategory)"
      } else if let suggestion = item.suggestion, suggestion.reason.rule != nil {
        // The rule chooses the category when the row is recorded.
        category = "\(suggestion.category)"
      }
      if let newPayee { payee = newPayee }
    }
    let words = [payee, row.description, row.note].filter { !$0.isEmpty }.joined(separator: "; ")
    let amount = Figures.withCode(Total(row.amount)).padded(to: 15, right: true)
    if item.choice == .undecided, let suggestion = item.suggestion {
      category = "\(suggestion.category)?"
    }
    let target = row.target.map { "→ \($0)" } ?? category
    return (
      "\(mark)\(row.day)\(amount)  \(words)" + (target.isEmpty ? "" : "  [\(target)]"),
      index == place && style == .plain ? .bold : style
    )
  }

  /// Returns a remark about the pending transaction or due date that a row matches.
  private static func remark(_ match: RowMatch) -> String {
    if let series = match.series, let due = match.due {
      return "This is \(series.name), due \(due)."
    }
    guard let other = match.transaction else { return "" }
    let words = [other.payee, other.description].filter { !$0.isEmpty }
    return
      "Settles the pending transaction \(other.key.day)#\(other.number): "
      + words.joined(separator: "; ")
  }

  private static func reason(_ suggestion: ImportPlan.Suggestion, _ item: ImportPlan.Item) -> String
  {
    suggestion.reason.rule != nil
      ? "by rule"
      : "\(suggestion.reason.count) of \(suggestion.reason.total) at \(item.row.payee)"
  }

  /// The lines below the rows: remarks about the current row, and the keys.
  private var foot: [(String, Style)] {
    var lines: [(String, Style)] = []
    if plan.items.indices.contains(place) {
      let item = plan.items[place]
      let fee = item.row.fee.map { ", including a fee of \($0)" } ?? ""
      lines.append(("Line \(item.row.line): \(item.row.account)\(fee)", .dim))
      switch item.state {
      case .likely(let other):
        let words = [other.payee, other.description, other.note].filter { !$0.isEmpty }
        lines.append(
          (
            "May be a duplicate of \(other.key.day)#\(other.number), which has the same amount: "
              + words.joined(separator: "; "), .yellow
          ))
      case .bad(let reason): lines.append((reason, .red))
      case .known: lines.append(("This is a duplicate and won't be imported.", .dim))
      case .new: lines.append((item.match.map(Self.remark) ?? "", .plain))
      }
      if item.choice == .undecided, let suggestion = item.suggestion {
        let reason = Self.reason(suggestion, item)
        lines.append(
          ("[g] \(suggestion.category), \(reason)   [G] all such suggestions", .cyan))
      }
    }
    switch typing {
    case .category:
      let hint = match.map { "   (Tab: \($0))" } ?? ""
      lines.append(("Category, such as Food:Groceries: \(text)▏\(hint)", .bold))
      lines.append(("[Enter] save   [Esc] cancel", .dim))
    case .payee:
      lines.append(("Payee: \(text)▏", .bold))
      lines.append(("[Enter] save   [Esc] cancel", .dim))
    case nil:
      lines.append((remark, .bold))
      lines.append(
        (
          "[t]ake [s]kip [c]ategory [p]ayee [a]ll new [u]ndo [r]ecord [q]uit", .cyan
        ))
    }
    return lines
  }
}

extension ImportPlan.Item {
  /// The choice of the suggested category, which a rule sets by itself; `nil` without a suggestion.
  fileprivate var suggested: ImportPlan.Choice? {
    guard let suggestion else { return nil }
    var payee: String?
    if case .take(_, let chosen) = choice { payee = chosen }
    return .take(
      category: suggestion.reason.rule == nil ? suggestion.category : nil, payee: payee)
  }
}

extension String {
  fileprivate func styled(_ style: Style, _ inColour: Bool) -> String {
    style.apply(to: self, inColour: inColour)
  }
}
