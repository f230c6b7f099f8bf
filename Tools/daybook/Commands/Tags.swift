import ArgumentParser
import Daybook
import Terminal

/// `daybook tags`: the labels in use.
struct TagsCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List the tags in use, the most used first.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions

  func execute() async throws {
    let today = today.day
    let tags = try await ledger.read(past) { try $0.tags(today: today) }
    if ledger.json {
      let answers: [JSON] = tags.map {
        .object([
          ("tag", .string($0.tag)), ("count", .count($0.count)), ("lastDay", .day($0.lastDay)),
        ])
      }
      return try Output.json(.object([("tags", .array(answers))]))
    }
    var table = TextTable([
      .init("Tag"), .init("Rows", .right), .init("Last", isFlexible: false),
    ])
    for tag in tags {
      table.add([
        .init(tag.tag), .init(Figures.count(tag.count)), .init("\(tag.lastDay)", .dim),
      ])
    }
    try Output.table(table, ifEmpty: "No tags.")
  }
}
