/// The names on the way to a category, from the top of the tree: `Food:Groceries`.
///
/// As text the names have a `:` between them. Inside of a name a `:` is written `\:`, and a `\` is
/// written `\\`; a `\` before anything else stands for itself. So every path has one text, which
/// names no other path.
public struct CategoryPath: Hashable, Sendable {
  /// The names, from the top down to the category's own; empty for no category.
  public var names: [String]

  /// A path of names, which are taken as they are.
  public init(_ names: [String]) { self.names = names }

  /// The path that a text says.
  ///
  /// White space around a name does not count.
  /// - Returns: `nil` where a name is blank, as in `Food::Bread`, `:Food` and an empty text.
  public init?(_ text: String) {
    let names = EscapedList.split(text, by: ":").map(trim)
    guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.names = names
  }

  /// The path that a file's text says: blank names are left out, and a blank text is no category.
  public init(leavingOutBlanksOf text: String) {
    // Most texts of a file are one name.
    let isPlain = !text.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "\\") }
    names = (isPlain ? [text] : EscapedList.split(text, by: ":")).map(trim).filter { !$0.isEmpty }
  }

  /// The path of something below this one.
  public func appending(_ path: CategoryPath) -> CategoryPath {
    CategoryPath(names + path.names)
  }
}

extension CategoryPath: CustomStringConvertible, ExpressibleByArrayLiteral {
  /// The path as text, from which it can be read again.
  public var description: String { EscapedList.join(names, by: ":") }

  /// A path of names, which are taken as they are.
  public init(arrayLiteral names: String...) { self.init(names) }
}
