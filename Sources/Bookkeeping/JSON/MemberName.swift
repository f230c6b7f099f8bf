/// The name of a member of an object in JSON, where names are not all known before.
package struct MemberName: CodingKey {
  /// The name.
  package let stringValue: String
  /// None: members have names.
  package var intValue: Int? { nil }

  /// A member by its name.
  package init(stringValue: String) { self.stringValue = stringValue }
  /// None has a number.
  package init?(intValue: Int) { nil }
  init(_ name: StaticString) { stringValue = "\(name)" }
}
