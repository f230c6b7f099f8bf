import Daybook

/// Remarks about figures that couldn't be converted.
enum Conversion {
  /// Returns remarks about the amounts that a converted figure doesn't include.
  static func remarks(on figure: Converted, what: String) -> [String] {
    figure.unconverted.map { part in
      let count = part.count == 1 ? "1 \(what)" : "\(Figures.count(part.count)) \(what)s"
      return "Left out \(Figures.withCode(part.total)) (\(count)): there is no rate to "
        + "\(figure.total.currency). Add one with `daybook rate add`."
    }
  }

  /// Writes remarks about the amounts that a converted figure doesn't include.
  static func remark(on figure: Converted, what: String) throws {
    try Output.lines(remarks(on: figure, what: what))
  }
}
