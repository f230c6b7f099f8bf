import Daybook

/// What is said about figures that could not be converted.
enum Conversion {
  /// Names what a converted figure leaves out, below the figure.
  static func remark(on figure: Converted, what: String) throws {
    for part in figure.unconverted {
      let count = part.count == 1 ? "1 \(what)" : "\(Figures.count(part.count)) \(what)s"
      try Output.line(
        "Without \(Figures.withCode(part.total)) (\(count)): no rate to "
          + "\(figure.total.currency) by then. `daybook rate add` records one.")
    }
  }
}
