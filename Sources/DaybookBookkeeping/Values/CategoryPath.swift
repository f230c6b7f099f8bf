/// The names of a category and its ancestors, from the top level down: `Food:Groceries`.
///
/// In text form, the names are separated by `:`. Inside a name, `:` is written `\:` and `\` is
/// written `\\`; a `\` before any other character stands for itself. Every path therefore has
/// exactly one text form, and different paths have different text forms.
public struct CategoryPath: Hashable, Sendable {
  /// The names, from the top level to the category itself; empty for no category.
  public var names: [String]

  /// Creates a path from names, which are not checked.
  public init(_ names: [String]) { self.names = names }

  /// Parses a path, ignoring white space around names.
  ///
  /// - Returns: `nil` if a name is blank, as in `Food::Bread`, `:Food` and an empty text.
  public init?(_ text: String) {
    let names = EscapedList.split(text, by: ":").map(trim)
    guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.names = names
  }

  /// Parses a path from an imported file; blank names are left out, and a blank text is no
  /// category.
  public init(leavingOutBlanksOf text: String) {
    // Fast path: most texts in a file are a single name.
    let isPlain = !text.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "\\") }
    names = (isPlain ? [text] : EscapedList.split(text, by: ":")).map(trim).filter { !$0.isEmpty }
  }

  /// Returns the path of a descendant, given its path relative to this one.
  public func appending(_ path: CategoryPath) -> CategoryPath {
    CategoryPath(names + path.names)
  }
}

extension CategoryPath: CustomStringConvertible, ExpressibleByArrayLiteral {
  /// The text form, which can be parsed again.
  public var description: String { EscapedList.join(names, by: ":") }

  /// Creates a path from names, which are not checked.
  public init(arrayLiteral names: String...) { self.init(names) }
}
