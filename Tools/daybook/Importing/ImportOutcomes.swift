import Daybook
import DaybookInterchange
import DaybookTerminal

/// The results of all files of one `daybook import`, and their output.
struct ImportOutcomes {
  var files: [FileOutcome] = []
  /// The names of skipped files in folders.
  var leftOut: [String] = []
  var isVerbose = false
  /// Whether several files were requested, even if only some were processed.
  var isSeveral = false

  private var summaries: [(name: String, summary: ImportSummary, mapping: String?, keptAs: String?)]
  {
    files.compactMap { file in
      guard case .success(.rows(let summary, let mapping, let keptAs)) = file.result else {
        return nil
      }
      return (file.name, summary, mapping, keptAs)
    }
  }

  private var failures: [(name: String, error: any Error)] {
    files.compactMap { file in
      guard case .failure(let error) = file.result else { return nil }
      return (file.name, error)
    }
  }

  private var total: ImportSummary {
    var total = ImportSummary()
    for file in summaries { total.add(file.summary) }
    return total
  }

  /// Prints the results, then throws the exit code of the first rejected file.
  func tell(json: Bool) throws {
    if !isSeveral, let failure = failures.first { throw failure.error }
    try json ? Output.json(answer) : show()
    guard let first = failures.first else { return }
    let listed = failures.map { CommandFailure(named: $0.name, $0.error) }
    for (index, failure) in listed.enumerated() {
      var failure = failure
      // A remedy shared by consecutive failures is printed once, after the last of them.
      if !json, index + 1 < listed.count, listed[index + 1].remedy == failure.remedy {
        failure.remedy = ""
      }
      Output.complain(failure, json: json)
    }
    throw CommandFailure(first.error).status.exitCode
  }

  // MARK: For people

  private func show() throws {
    for case .success(.nothing) in files.map(\.result) {
      try Output.line("Nothing was recorded.")
    }
    for case .success(.restored(let counts)) in files.map(\.result) {
      let parts = counts.sorted { $0.key < $1.key }
        .map { "\(Figures.count($0.value)) × \($0.key)" }
      try Output.line("Restored \(parts.joined(separator: ", ")).")
    }
    for (name, summary, mapping, keptAs) in summaries {
      if isSeveral {
        let way = mapping.map { ", using the mapping “\($0)”" } ?? ""
        try Output.line(summary.sentence(of: name + way))
      } else if let mapping {
        try Output.line("Used the mapping “\(mapping)”.".printable)
      }
      if let keptAs { try Output.line("Kept the mapping in the ledger as “\(keptAs)”.".printable) }
    }
    let several = isSeveral && summaries.count > 1
    for (name, summary, _, _) in summaries {
      let lines = details(of: summary, inTotal: several)
      try Output.lines(isSeveral ? lines.map { "\(name.printable): \($0)" } : lines)
    }
    if several { try Output.lines(created) }
    if !leftOut.isEmpty {
      let names = isVerbose ? ": \(leftOut.joined(separator: ", "))" : " (--verbose lists them)"
      let count = leftOut.count
      try Output.line(
        "Ignored \(Figures.count(count)) other \(count == 1 ? "file" : "files")\(names)."
          .printable)
    }
    if !isSeveral {
      for (_, summary, _, _) in summaries { try Output.line(summary.sentence()) }
      return
    }
    let names =
      failures.count > 5
      ? "\(failures.count) files were"
      : failures.map(\.name).joined(separator: ", ") + " "
        + (failures.count == 1 ? "was" : "were")
    let refused = failures.isEmpty ? "" : " \(names) refused."
    let done = files.count - failures.count
    let count = failures.isEmpty ? "\(done) files" : "\(done) of \(files.count) files"
    try Output.line(total.sentence(of: count) + refused.printable)
  }

  /// Details about one file.
  ///
  /// If `inTotal` is set, created accounts and categories are left out, because they are listed for
  /// all files together.
  private func details(of summary: ImportSummary, inTotal: Bool) -> [String] {
    var summary = summary
    if inTotal {
      summary.createdAccounts = []
      summary.createdCategories = []
    }
    return summary.details(verbose: isVerbose)
  }

  private var created: [String] {
    var made = ImportSummary()
    made.isDryRun = total.isDryRun
    made.createdAccounts = total.createdAccounts
    made.createdCategories = total.createdCategories
    return made.details(verbose: isVerbose)
  }

  // MARK: For scripts

  private var answer: JSONAnswer {
    if !isSeveral, case .success(.restored(let counts))? = files.first?.result {
      return JSONAnswer(["restored": SortedMembers(counts)])
    }
    return JSONAnswer(Joined(total, ["files": files.map { FileAnswer(outcome: $0) }]))
  }

  /// The result of one file: its name with the counts, or with the error.
  private struct FileAnswer: Encodable, Sendable {
    private enum Key: String, CodingKey { case file, mapping, restored, error }
    let outcome: FileOutcome

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(outcome.name, forKey: .file)
      switch outcome.result {
      case .success(.rows(let summary, let mapping, _)):
        try container.encodeIfPresent(mapping, forKey: .mapping)
        try summary.encode(to: encoder)
      case .success(.nothing): break
      case .success(.restored(let counts)):
        try container.encode(SortedMembers(counts), forKey: .restored)
      case .failure(let error):
        try container.encode(CommandFailure(error).message, forKey: .error)
      }
    }
  }
}

extension CommandFailure {
  /// Converts an error about one of several files and adds the file's name to the message.
  fileprivate init(named name: String, _ error: any Error) {
    self.init(error)
    if !message.contains(name) { message = "\(name): \(message)" }
  }
}
