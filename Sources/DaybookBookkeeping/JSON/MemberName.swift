/// A coding key for any member name, for objects whose member names aren't known in advance.
package struct MemberName: CodingKey {
  /// The name.
  package let stringValue: String
  /// Always `nil`.
  package var intValue: Int? { nil }

  /// Creates a key from a member's name.
  package init(stringValue: String) { self.stringValue = stringValue }
  /// Always `nil`.
  package init?(intValue: Int) { nil }
  init(_ name: StaticString) { stringValue = name.description }
}
