import Foundation

/// How a browser wants pages to look, which it keeps in cookies.
struct Preferences: Sendable {
  /// The chosen language, such as `de`; `nil` for the browser's language.
  var language: String?
  /// The chosen theme; `nil` for the system's theme.
  var theme: Theme?
  /// The browser's time zone, which a script stores; `nil` for UTC.
  var zone: TimeZone?

  enum Theme: String, CaseIterable, Sendable {
    case light, dark
  }

  static let languageCookie = "daybook-language"
  static let themeCookie = "daybook-theme"
  private static let zoneCookie = "daybook-zone"
  private static let ageSeconds = 400 * 86_400

  /// Reads the cookies of a request; unknown values are ignored.
  init(_ header: String?) {
    func value(_ name: String) -> String? { Cookies.value(name, in: header).map(String.init) }
    language = value(Self.languageCookie).flatMap { code in
      Words.all.first { $0.code == code }?.code
    }
    theme = value(Self.themeCookie).flatMap { Theme(rawValue: $0) }
    zone = value(Self.zoneCookie).flatMap { TimeZone(identifier: $0) }
  }

  /// Returns the languages in the order in which they are wanted.
  func locales(_ accepted: [String]) -> [String] {
    guard let language else { return accepted }
    // The browser's variant of the language, such as `de-AT`, formats numbers and dates.
    return accepted.filter { $0.split(separator: "-").first.map { $0.lowercased() } == language }
      + [language]
  }

  /// Returns the header that stores a value, or that deletes it if the value is empty.
  static func header(_ name: String, _ value: String) -> (name: String, value: String) {
    let age = value.isEmpty ? 0 : ageSeconds
    return ("Set-Cookie", "\(name)=\(value); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict")
  }
}
