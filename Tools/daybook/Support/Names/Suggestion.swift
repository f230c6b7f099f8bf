import Interchange

/// What a person who mistyped a name may have meant.
enum Suggestion {
  /// A sentence that names the nearest, or says where to look.
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

  /// The name that differs least, where it differs little.
  static func nearest(to text: String, among names: [String]) -> String? {
    Nearest.name(to: text, among: names)
  }
}
