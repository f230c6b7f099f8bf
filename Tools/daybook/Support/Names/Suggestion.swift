import DaybookInterchange

/// Suggestions for mistyped names.
enum Suggestion {
  /// Returns a sentence that suggests the most similar name, lists the names, or gives a command
  /// for listing or creating them.
  static func sentence(
    for text: String, among names: [String], list: String, create: String
  ) -> String {
    if names.isEmpty { return "There are none yet. Create one with `\(create)`." }
    if let nearest = nearest(to: text, among: names) { return "Did you mean “\(nearest)”?" }
    if names.count <= 8 {
      return "The names are: " + names.joined(separator: ", ") + "."
    }
    return "List all \(names.count) with `\(list)`."
  }

  /// Returns the most similar name, or `nil` if none is similar enough.
  static func nearest(to text: String, among names: [String]) -> String? {
    Nearest.name(to: text, among: names)
  }
}
