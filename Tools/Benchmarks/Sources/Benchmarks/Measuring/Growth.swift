import Foundation

/// The growth of every read and of a single append with the size of the store.
///
/// Two stores of one engine are measured alternately.
struct Growth {
  var entrants: [any Entrant]
  var size: Int
  var repetitions: Int
  var scratch: String

  private static let small = 10_000
  private static let perAmount = "… for each of its amounts"

  /// Runs the measures and returns a Markdown table with the medians of both sizes and their ratio.
  func run() async throws -> String {
    var lines = [
      "| engine | measure | \(Self.small) events, µs | \(size) events, µs | ratio | bar | |",
      "|---|---|---:|---:|---:|---|---|",
    ]
    for entrant in entrants {
      let contenders = try await stores(of: entrant)
      var results = Results()
      for repetition in 1...repetitions {
        note("growth \(repetition)/\(repetitions) \(entrant.name)")
        for (label, contender) in zip(["small", "large"], contenders) {
          for question in Question.allCases {
            let time = try contender.time(question)
            results.add(question.rawValue, label, time)
            if question == .breakdown {
              let count = Double(try contender.breakdownAmountCount())
              results.add(Self.perAmount, label, time / count)
            }
          }
          results.add(Measure.single, label, median(try await contender.single(300)))
        }
      }
      for measure in Question.allCases.map(\.rawValue) + [Self.perAmount, Measure.single] {
        guard let small = results.value(measure, "small"),
          let large = results.value(measure, "large")
        else { continue }
        let bar = large <= 2 * small ? "≤ 2 | met" : "≤ 2 | **not met**"
        let notes = [
          // The answer is longer because the month has more categories.
          Question.breakdown.rawValue: " | longer answer",
          Question.deepOffset.rawValue: "≤ 2 but for steps within a day | ",
        ]
        lines.append(
          "| \(entrant.name) | \(measure) | \(Report.number(small)) | \(Report.number(large)) | "
            + "\(Report.number(large / small)) | \(notes[measure] ?? bar) |")
      }
      for contender in contenders {
        try await contender.close()
        try FileManager.default.removeItem(atPath: contender.folder)
      }
    }
    return lines.joined(separator: "\n")
  }

  private func stores(of entrant: any Entrant) async throws -> [any Contender] {
    var contenders: [any Contender] = []
    for size in [Self.small, size] {
      let folder = scratch + "/growth-\(size)"
      try? FileManager.default.removeItem(atPath: folder)
      let contender = entrant.contender(folder: folder, size: size)
      note("growing \(entrant.name) to \(size)")
      try await contender.open()
      _ = try await contender.grow(size, batch: 10_000)
      contenders.append(contender)
    }
    return contenders
  }
}
