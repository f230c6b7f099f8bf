import DaybookInterchange
// Goal: what is wrong with a mapping file is told with its line and column, what was expected, and, for a
// key that does not exist, the nearest one that does. Method: a mapping is broken in one place after the
// other, and the error's place is compared with the place that was broken.
import Foundation
import Testing

@Suite struct MappingFaultTests {
  private static let whole = """
    {
      "date": { "column": "Day", "format": "dd.MM.yyyy" },
      "amount": { "column": 3, "type": "Kind", "directions": { "D": "out" } },
      "currency": "EUR",
      "account": "Checking",
      "header": true,
      "skipRows": [{ "column": 1, "equals": ["x"] }],
      "fee": { "column": "Fee" }
    }
    """

  private func error(_ text: String) -> InterchangeError? {
    do {
      _ = try ImportMapping(json: Data(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func theWholeOneIsRead() {
    #expect(error(Self.whole) == nil)
  }

  @Test(
    arguments: [
      // What is replaced, by what, the place, and words of the message.
      ("\"header\"", "\"haeder\"", 6, 3, ["“haeder”", "Did you mean “header”?"]),
      ("\"format\"", "\"fromat\"", 2, 30, ["“date.fromat”", "“format”"]),
      ("\"equals\"", "\"equal\"", 7, 31, ["“skipRows.0.equal”", "“equals”"]),
      ("\"fee\": { \"column\"", "\"fee\": { \"colunm\"", 8, 12, ["“fee.colunm”", "“column”"]),
      ("\"header\": true", "\"header\": \"yes\"", 6, 13, ["“header”", "true or false"]),
      ("\"D\": \"out\"", "\"D\": \"outward\"", 3, 65, ["“outward”", "in, out, skip"]),
      ("\"column\": 3", "\"column\": [3]", 3, 25, ["“amount.column”", "number from 1"]),
      ("\"EUR\"", "\"{Currency\"", 4, 15, ["“currency”", "brace"]),
      ("\"EUR\",", "\"EUR\"", 5, 3, ["a comma, or }", "“\"account\":”"]),
      ("\"EUR\"", "EUR", 4, 15, ["a value", "“EUR,”"]),
      ("\"EUR\"", "\"EUR", 4, 15, ["no closing quote"]),
      ("\"account\": \"Checking\",\n", "", 1, 1, ["“account”", "missing"]),
      ("{ \"column\": \"Day\", ", "{ ", 2, 11, ["“date.column”", "missing"]),
    ] as [(String, String, Int, Int, [String])])
  func thePlaceIsTold(
    _ part: String, _ other: String, _ line: Int, _ column: Int, _ words: [String]
  ) throws {
    try #require(Self.whole.contains(part))
    let broken = try #require(error(Self.whole.replacingOccurrences(of: part, with: other)))
    #expect(broken.code == .mapping)
    #expect(broken.line == line && broken.column == column, "\(broken)")
    for word in words { #expect("\(broken)".contains(word), "\(broken)") }
  }

  @Test func aFileThatEndsOrIsNoObject() throws {
    let cut = try #require(error(String(Self.whole.dropLast(2))))
    #expect(cut.line == 8 && "\(cut)".contains("the file ends"), "\(cut)")
    #expect(try "\(#require(error("")))".contains("the file ends"))
    #expect(try "\(#require(error("[1]")))".contains("an object"))
    #expect(try "\(#require(error(Self.whole + "x")))".contains("the end of the file"))
    let deep = String(repeating: "[", count: 5_000)
    #expect(error(deep)?.code == .mapping)
  }
}
