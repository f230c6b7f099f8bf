/// Goal: a moment is the same before and after it was JSON, also before 1970 and beyond all calendars.
/// Method: moments whose texts are known by hand, and the ends of what a number can say.
import Daybook
import Foundation
import Testing

@Suite struct MomentTests {
  @Test(arguments: [
    (0, #""1970-01-01T00:00:00.000000Z""#), (-1, #""1969-12-31T23:59:59.999999Z""#),
    (1_771_147_800_250_000, #""2026-02-15T09:30:00.250000Z""#),
    (-62_135_596_800_000_000, #""0001-01-01T00:00:00.000000Z""#),
    (253_402_300_799_999_999, #""9999-12-31T23:59:59.999999Z""#),
    (253_402_300_800_000_000, "253402300800000000"), (Int64.max, "9223372036854775807"),
    (Int64.min, "-9223372036854775808"),
  ])
  func aMomentIsAText(microseconds: Int64, text: String) throws {
    let moment = Moment(microseconds: microseconds)
    #expect(try JSONValue(moment).line == text)
    let again = try JSONDecoder().decode([Moment].self, from: Data("[\(text)]".utf8))
    #expect(again == [moment])
  }

  @Test(arguments: [
    "", "2026-02-15", "2026-02-15T09:30:00Z", "2026-02-15T09:60:00.000000Z",
    "2026-02-15T09:30:60.000000Z", "2026-02-15T09:30:00,000000Z", "2026-02-15T09:30:00.00000０Z",
    "2026-02-15T09:30:00.000000X", "2026-13-15T09:30:00.000000Z", "+026-02-15T09:30:00.000000Z",
  ])
  func whatIsNoMomentIsRefused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Moment].self, from: Data("[\"\(text)\"]".utf8))
    }
  }
}
