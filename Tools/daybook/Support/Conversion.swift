import Daybook

/// What is said about figures that could not be converted.
enum Conversion {
  /// What a converted figure leaves out, for below the figure.
  static func remarks(on figure: Converted, what: String) -> [String] {
    figure.unconverted.map { part in
      let count = part.count == 1 ? "1 \(what)" : "\(Figures.count(part.count)) \(what)s"
      return "Without \(Figures.withCode(part.total)) (\(count)): no rate to "
        + "\(figure.total.currency) by then. `daybook rate add` records one."
    }
  }

  /// Names what a converted figure leaves out, below the figure.
  static func remark(on figure: Converted, what: String) throws {
    try Output.lines(remarks(on: figure, what: what))
  }
}
