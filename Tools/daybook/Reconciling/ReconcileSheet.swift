import Daybook
import DaybookTerminal

/// The screen of an interactive `reconcile`: the ticks, the cursor, and the effects of keys.
///
/// The type doesn't depend on a terminal: it receives keys and returns lines.
struct ReconcileSheet {
  /// The result of handling a key.
  enum Outcome: Equatable {
    case goesOn
    case finish
    case quit
    /// Control-C, or a closed terminal.
    case interrupted
  }

  private(set) var reconciliation: Reconciliation
  private let names: Names
  /// The index of the row with the cursor.
  private var place = 0
  /// The index of the first visible row.
  private var top = 0
  private var before: [Set<TransactionID>] = []
  private var message = ""
  /// Whether the next key confirms finishing with a difference.
  private var asks = false

  init(_ reconciliation: Reconciliation, _ names: Names) {
    self.reconciliation = reconciliation
    self.names = names
  }

  /// Replaces the contents with the ledger's current contents, keeping the ticks of existing rows.
  ///
  /// - Returns: Whether rows or figures changed.
  mutating func refresh(_ fresh: Reconciliation) -> Bool {
    var fresh = fresh
    fresh.tick(only: reconciliation.ticked)
    let isOther = fresh != reconciliation
    reconciliation = fresh
    place = min(place, max(fresh.rows.count - 1, 0))
    if isOther {
      message =
        "The ledger has changed in the meantime. Check again, then press Enter."
    }
    return isOther
  }

  // MARK: Keys

  mutating func take(_ key: Key, rowsShown: Int) -> Outcome {
    let page = max(rowsShown - 1, 1)
    if key == .gone || key == .control("c") { return .interrupted }
    if asks, key != .resized {
      asks = false
      message = ""
      if key == .character("y") || key == .character("Y") { return .finish }
      message = "Nothing was locked."
      return .goesOn
    }
    if key != .resized { message = "" }
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp, .control("b"): move(by: -page)
    case .pageDown, .control("f"): move(by: page)
    case .home, .character("g"): move(by: -reconciliation.rows.count)
    case .end, .character("G"): move(by: reconciliation.rows.count)
    case .character(" "), .character("x"):
      guard reconciliation.rows.indices.contains(place) else { break }
      remember()
      reconciliation.toggle(reconciliation.rows[place].id)
      move(by: 1)
    case .character("a"):
      remember()
      reconciliation.tick(only: reconciliation.rows.map(\.id))
    case .character("n"):
      remember()
      reconciliation.tick(only: [])
    case .character("u"), .backspace, .control("z"):
      guard let last = before.popLast() else {
        message = "There is nothing to undo."
        break
      }
      reconciliation.tick(only: last)
    case .enter, .character("f"): return finish()
    case .character("q"), .escape: return .quit
    case .resized: break
    default: message = "Unknown key. The available keys are listed below."
    }
    return .goesOn
  }

  private mutating func remember() { before.append(reconciliation.ticked) }

  private mutating func move(by count: Int) {
    place = min(max(place + count, 0), max(reconciliation.rows.count - 1, 0))
  }

  private mutating func finish() -> Outcome {
    if reconciliation.ticked.isEmpty {
      message = "Nothing is ticked. Press Space to tick a transaction, or q to quit."
      return .goesOn
    }
    guard let difference = reconciliation.difference, difference.units != 0 else { return .finish }
    asks = true
    message =
      "The remaining difference is \(Figures.withCode(difference)). Lock the ticked transactions "
      + "anyway? y/n"
    return .goesOn
  }

  // MARK: Lines

  /// The number of lines above and below the rows.
  static let frameCount = 6

  /// The lines of the screen for a window size.
  mutating func lines(rows: Int, columns: Int, inColour: Bool) -> [String] {
    let shown = max(rows - Self.frameCount, 1)
    top = min(top, place)
    if place >= top + shown { top = place - shown + 1 }
    top = max(min(top, reconciliation.rows.count - shown), 0)
    let last = min(top + shown, reconciliation.rows.count)
    func fit(_ text: String, _ style: Style = .plain) -> String {
      style.apply(to: text.printable.truncated(to: columns), inColour: inColour)
    }
    var lines = [
      fit("Reconcile \(reconciliation.account.name) through \(reconciliation.day)", .bold),
      fit(figures, isEven ? .green : .yellow), "",
    ]
    if reconciliation.rows.isEmpty {
      lines.append(
        fit(
          "All transactions through that day are locked."))
    }
    lines += (top..<last).map { row($0, columns, inColour) }
    while lines.count < rows - 3 { lines.append("") }
    let position = "\(min(place + 1, reconciliation.rows.count)) of \(reconciliation.rows.count)"
    lines += [
      "", fit(message.isEmpty ? position : message, message.isEmpty ? .dim : .yellow),
      fit("Space tick  a all  n none  u undo  Enter finish  q quit", .dim),
    ]
    return lines
  }

  private var isEven: Bool { reconciliation.difference?.units == 0 }

  private var figures: String {
    let balance = Figures.withCode(reconciliation.balance)
    guard let statement = reconciliation.statement, let difference = reconciliation.difference
    else { return "Ticked and locked: \(balance)" }
    let ticked = Figures.text(reconciliation.balance)
    return
      "Difference \(Figures.withCode(difference))  Ticked \(ticked) of \(Figures.text(statement))"
  }

  private func row(_ index: Int, _ columns: Int, _ inColour: Bool) -> String {
    let row = reconciliation.rows[index]
    let transaction = row.transaction
    let isTicked = reconciliation.ticked.contains(row.id)
    let head =
      "\(index == place ? ">" : " ") [\(isTicked ? "x" : " ")] \(transaction.day(on: reconciliation.account.id))  "
    let amount = "  " + Figures.text(row.amount)
    var words = [transaction.payee, transaction.description].filter { !$0.isEmpty }
    if words.isEmpty {
      let summary = RowSummary(transaction, names)
      words = [summary.category.isEmpty ? summary.account : summary.category]
    }
    if transaction.status == .pending { words.insert("(pending)", at: 0) }
    let room = max(columns - DisplayWidth.of(head) - DisplayWidth.of(amount), 0)
    let text = words.joined(separator: " ").printable.truncated(to: room)
    let blanks = String(repeating: " ", count: max(room - DisplayWidth.of(text), 0))
    let style: Style = index == place ? .bold : isTicked ? .green : .plain
    return style.apply(
      to: (head + text + blanks + amount).truncated(to: columns), inColour: inColour)
  }
}
