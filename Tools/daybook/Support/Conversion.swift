import Daybook

/// What is said about figures that could not be converted.
enum Conversion {
  /// What a converted figure leaves out, for below the figure.
  static func remarks(on figure: Converted, what: String) -> [String] {
    figure.unconverted.map { part in
      let count = part.count == 1 ? "1 \(what)" : "\(Figures.count(part.count)) \(what)s"
      return "Left out \(Figures.withCode(part.total)) (\(count)): there is no rate to "
        + "\(figure.total.currency). Add one with `daybook rate add`."
    }
  }

  /// Names what a converted figure leaves out, below the figure.
  static func remark(on figure: Converted, what: String) throws {
    try Output.lines(remarks(on: figure, what: what))
  }
}
