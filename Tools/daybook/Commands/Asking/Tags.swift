import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook tags`: lists the tags in use.
struct TagsCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List tags, most used first.",
    discussion: """
      With --by-month, shows the money in and out of each tag's transactions by month. A transaction \
      with several tags counts for each of them.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var months: ByMonthOptions

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    if months.byMonth {
      let found = try snapshot.tagMonths(
        months.range(today: today.day), base: months.base.currency(in: snapshot), today: today.day)
      return .months(
        of: found, ("tag", "Tag"), ifEmpty: "No tags in these months.",
        json: JSONAnswer(["tags": found]))
    }
    let tags = try snapshot.tags(today: today.day)
    var report = Report(
      [.text("tag", "Tag"), .figure("count", "Count"), .fixed("lastDay", "Last")],
      ifEmpty: "No tags.", json: JSONAnswer(["tags": tags]))
    for tag in tags { report.add([.init(tag.tag), .count(tag.count), .day(tag.lastDay, .dim)]) }
    return report
  }
}
