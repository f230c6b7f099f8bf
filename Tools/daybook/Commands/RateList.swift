import ArgumentParser
import Daybook
import Terminal

/// `daybook rate list`: the rates recorded.
struct RateListCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List rates, the newest first.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: ArgumentHelp("Only rates of this currency.", valueName: "currency"))
  var currency: String?

  @Argument(help: ArgumentHelp("Only rates in this currency.", valueName: "in"))
  var quoted: String?

  @Option(help: "How many.")
  var limit = 50

  func validate() throws {
    guard (1...100_000).contains(limit) else {
      throw ValidationError("--limit has to be from 1 to 100000.")
    }
  }

  func execute() async throws {
    let rates = try await ledger.read { snapshot in
      let base = try currency.map { try Lookup.currency($0, in: snapshot) }
      let quote = try quoted.map { try Lookup.currency($0, in: snapshot) }
      // Oldest first, pair by pair; what was recorded last is what people look for.
      let all = try snapshot.rates(base: base, quoted: quote)
      return all.sorted { $0.day > $1.day }.prefix(limit)
    }
    if ledger.json {
      let rows = rates.map { rate in
        JSON.object([
          ("day", .day(rate.day)), ("currency", .string(rate.base.code)),
          ("in", .string(rate.quoted.code)), ("rate", .string("\(rate.quote)")),
        ])
      }
      return try Output.json(.object([("rates", .array(rows))]))
    }
    var table = TextTable([
      .init("Day", isFlexible: false), .init("One", isFlexible: false), .init("Is", .right),
      .init("", isFlexible: false),
    ])
    for rate in rates {
      table.add([
        .init("\(rate.day)"), .init(rate.base.code), .init("\(rate.quote)"),
        .init(rate.quoted.code),
      ])
    }
    try Output.table(
      table, ifEmpty: "No such rates: `daybook rate add` or `daybook rate import` records some.")
  }
}
