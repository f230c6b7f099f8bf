import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook tags`: lists the tags in use.
struct TagsCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List tags, most used first.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let tags = try snapshot.tags(today: today.day)
    var report = Report(
      [.text("tag", "Tag"), .figure("count", "Count"), .fixed("lastDay", "Last")],
      ifEmpty: "No tags.", json: JSONAnswer(["tags": tags]))
    for tag in tags { report.add([.init(tag.tag), .count(tag.count), .day(tag.lastDay, .dim)]) }
    return report
  }
}
