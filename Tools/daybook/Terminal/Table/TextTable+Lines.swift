extension TextTable {
  /// The lines of the table, without line ends.
  package func lines(for terminal: Terminal) -> [String] {
    let rows = terminal.isASCII ? rows.map { $0.inASCII } : rows
    let layout = layout(rows, terminal)
    if layout.isStacked { return stacked(rows, layout, terminal) }
    var lines: [String] = []
    if showsTitles {
      let titles = columns.map { Cell(terminal.isASCII ? $0.title.inASCII : $0.title, .dim) }
      lines += self.lines(titles, layout, terminal)
    }
    for row in rows {
      switch row {
      case .cells(let cells): lines += self.lines(cells, layout, terminal)
      case .rule: lines.append(rule(layout.width, terminal))
      case .heading(let heading, let trailing):
        lines += self.heading(heading, trailing, layout.width, terminal)
      }
    }
    return lines
  }

  private func layout(_ rows: [Row], _ terminal: Terminal) -> TableLayout {
    var natural = columns.map { column in
      let title = terminal.isASCII ? column.title.inASCII : column.title
      return showsTitles ? DisplayWidth.of(title) : 0
    }
    var words = columns.map { _ in 0 }
    var empty = Set(columns.indices)
    for case .cells(let cells) in rows {
      for (index, cell) in cells.enumerated() where index < natural.count && !cell.text.isEmpty {
        natural[index] = max(natural[index], DisplayWidth.of(cell.text))
        empty.remove(index)
        if columns[index].keepsWords { words[index] = max(words[index], cell.text.widestWord) }
      }
    }
    return TableLayout(
      columns, natural: natural, words: words, empty: empty, limit: terminal.columns)
  }

  /// The lines of a row: the wrapped columns side by side, then the columns below.
  private func lines(_ cells: [Cell], _ layout: TableLayout, _ terminal: Terminal) -> [String] {
    let texts = layout.beside.map { index -> [String] in
      guard index < cells.count else { return [""] }
      return columns[index].wraps && layout.limit != nil
        ? cells[index].text.wrapped(to: layout.widths[index])
        : [cells[index].text.truncated(to: layout.widths[index], ellipsis: terminal.ellipsis)]
    }
    var lines = (0..<(texts.map(\.count).max() ?? 1)).map { place in
      var line = ""
      var pendingSpaces = 0
      for (index, parts) in zip(layout.beside, texts) {
        let text = place < parts.count ? parts[place] : ""
        let missing = layout.widths[index] - DisplayWidth.of(text)
        let before = columns[index].alignment == .right ? missing : 0
        // Add spaces only when text follows, so that no line has trailing spaces.
        pendingSpaces += before
        if !text.isEmpty {
          line += String(repeating: " ", count: pendingSpaces)
          line += cells[index].painted(text, inColour: terminal.inColour)
          pendingSpaces = 0
        }
        pendingSpaces += missing - before + layout.gap
      }
      return line
    }
    let below = layout.below.filter { $0 < cells.count && !cells[$0].text.isEmpty }
      .map { cells[$0].painted(cells[$0].text, inColour: terminal.inColour) }
    if !below.isEmpty {
      let text = below.joined(separator: "  ")
      lines += text.wrapped(to: max((layout.limit ?? .max) - 2, 1)).map { "  " + $0 }
    }
    return lines
  }

  private func rule(_ width: Int, _ terminal: Terminal) -> String {
    let rule = String(repeating: terminal.isASCII ? "-" : "─", count: width)
    return Style.dim.apply(to: rule, inColour: terminal.inColour)
  }

  /// The lines of a heading.
  ///
  /// Figures that don't fit next to the heading are placed below it.
  private func heading(
    _ heading: Cell, _ trailing: [Cell], _ width: Int, _ terminal: Terminal
  ) -> [String] {
    let limit = terminal.columns ?? .max
    let left = heading.text
    let right = trailing.map(\.text).joined(separator: ", ")
    func painted(_ text: String) -> String {
      heading.style.apply(to: text, inColour: terminal.inColour)
    }
    if right.isEmpty { return left.wrapped(to: limit).map(painted) }
    let style = trailing.first?.style ?? .plain
    let (leftWidth, rightWidth) = (DisplayWidth.of(left), DisplayWidth.of(right))
    if leftWidth + Self.gap + rightWidth <= max(width, limit) {
      let spaces = max(width - leftWidth - rightWidth, Self.gap)
      return [
        painted(left) + String(repeating: " ", count: spaces)
          + style.apply(to: right, inColour: terminal.inColour)
      ]
    }
    var lines = left.wrapped(to: limit).map(painted)
    var line = ""
    func end() {
      let missing = max(min(width, limit) - DisplayWidth.of(line), 0)
      lines.append(
        String(repeating: " ", count: missing)
          + style.apply(to: line, inColour: terminal.inColour))
    }
    for (index, cell) in trailing.enumerated() {
      let text = cell.text + (index + 1 < trailing.count ? "," : "")
      if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(text) > limit {
        end()
        line = ""
      }
      line += line.isEmpty ? text : " " + text
    }
    end()
    return lines
  }

  /// Each row as a list of titles and values, for terminals that are too narrow for the table.
  private func stacked(
    _ rows: [Row], _ layout: TableLayout, _ terminal: Terminal
  ) -> [String] {
    let limit = layout.limit ?? .max
    if !showsTitles, columns.count == 2 { return facts(rows, layout, limit, terminal) }
    let width = min(columns.map { DisplayWidth.of($0.title) }.max() ?? 0, max(limit / 2, 1))
    var lines: [String] = []
    for (place, row) in rows.enumerated() {
      switch row {
      case .rule: lines.append(rule(min(limit, 20), terminal))
      case .heading(let heading, let trailing):
        lines += self.heading(heading, trailing, min(layout.width, limit), terminal)
      case .cells(let cells):
        if place > 0, case .cells = rows[place - 1] { lines.append("") }
        for (title, cell) in facts(cells) {
          lines += fact(terminal.isASCII ? title.inASCII : title, cell, width, limit, terminal)
        }
      }
    }
    return lines
  }

  /// A table of names and values.
  ///
  /// A value that is too wide is placed below its name.
  private func facts(
    _ rows: [Row], _ layout: TableLayout, _ limit: Int, _ terminal: Terminal
  ) -> [String] {
    rows.flatMap { row -> [String] in
      guard case .cells(let cells) = row, let name = cells.first, cells.count > 1 else { return [] }
      return fact(name.text, cells[1], layout.widths[0], limit, terminal)
    }
  }

  /// The nonempty cells with their titles.
  ///
  /// A cell without a title, such as a currency, is appended to the preceding cell.
  private func facts(_ cells: [Cell]) -> [(title: String, cell: Cell)] {
    var facts: [(title: String, cell: Cell)] = []
    for (column, cell) in zip(columns, cells) where !cell.text.isEmpty {
      if column.title.isEmpty, var last = facts.popLast() {
        last.cell.text += " " + cell.text
        facts.append(last)
      } else {
        facts.append((column.title, cell))
      }
    }
    return facts
  }

  /// A title and a value on one line, or the value below its title.
  private func fact(
    _ title: String, _ cell: Cell, _ width: Int, _ limit: Int, _ terminal: Terminal
  ) -> [String] {
    let name = title.truncated(to: width, ellipsis: terminal.ellipsis)
    let head = name.padded(to: width) + "  "
    let room = limit - width - 2
    if DisplayWidth.of(cell.text) <= room || (room >= 16 && cell.text.widestWord <= room) {
      return cell.text.wrapped(to: max(room, 1)).enumerated().map { place, text in
        (place == 0
          ? Style.dim.apply(to: head, inColour: terminal.inColour)
          : String(repeating: " ", count: width + 2))
          + cell.painted(text, inColour: terminal.inColour)
      }
    }
    return [Style.dim.apply(to: name, inColour: terminal.inColour)]
      + cell.text.wrapped(to: max(limit - 2, 1)).map {
        "  " + cell.painted($0, inColour: terminal.inColour)
      }
  }
}

extension TextTable.Row {
  /// The row with the symbols that the command uses in ASCII.
  fileprivate var inASCII: TextTable.Row {
    switch self {
    case .cells(let cells): .cells(cells.map(\.inASCII))
    case .heading(let heading, let trailing):
      .heading(heading.inASCII, trailing: trailing.map(\.inASCII))
    case .rule: .rule
    }
  }
}

extension TextTable.Cell {
  fileprivate var inASCII: TextTable.Cell {
    TextTable.Cell(text.inASCII, style, marking: marking)
  }
}
