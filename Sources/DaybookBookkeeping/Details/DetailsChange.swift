/// The details to change in an entity; `nil` leaves a detail unchanged.
///
/// Each of the entity's details is a member with an optional type: `change.name = "Cash"`. To remove
/// an optional detail, set it to `.some(nil)`.
@dynamicMemberLookup
public struct DetailsChange<Entity: LedgerEntity & Detailed>: Hashable, Sendable
where Entity.Details.Entity == Entity {
  /// The new values, blank for details that stay unchanged.
  var values = Entity.Details.blank
  /// The tags of the details that change.
  var tags = TagBits()
  /// The entity as the caller last saw it.
  ///
  /// If a stored property differs from it, another writer has changed that property, and the
  /// ledger's merge policy decides which value is kept. If `nil`, the change overrides the stored
  /// values.
  public var seen: Entity?

  /// Creates a change that leaves all details unchanged.
  public init(seen: Entity? = nil) { self.seen = seen }

  /// The new value of a detail, or `nil` to leave it unchanged.
  ///
  /// - Precondition: The key path is that of a detail in the entity's table.
  public subscript<Value>(
    dynamicMember property: WritableKeyPath<Entity.Details, Value>
  ) -> Value? {
    @inline(__always)
    get { tags.contains(Self.tag(of: property)) ? values[keyPath: property] : nil }
    @inline(__always)
    set {
      if newValue == nil, tags.isEmpty { return }
      let tag = Self.tag(of: property)
      if newValue == nil { tags.remove(tag) } else { tags.insert(tag) }
      values[keyPath: property] = newValue ?? Entity.Details.blank[keyPath: property]
    }
  }

  @inline(__always)
  private static func tag(of property: PartialKeyPath<Entity.Details>) -> UInt8 {
    var search = PropertySearch<Entity.Details>(
      wanted: property, offset: MemoryLayout<Entity.Details>.offset(of: property))
    _ = Entity.blank.visit(&search)
    guard let tag = search.found else {
      preconditionFailure(
        "\(property) isn't a detail that can be amended; use the key path of a property")
    }
    return tag
  }
}

extension DetailsChange {
  /// Creates a change of the details that differ, or of all details if `before` is `nil`.
  package init(from before: Entity.Details?, to after: Entity.Details) {
    var comparison = PropertyComparison(before: before)
    values = after.visit(&comparison)
    tags = comparison.different
  }

  /// Replaces the details that change.
  @inline(__always)
  func apply(to details: inout Entity.Details) {
    if tags.isEmpty { return }
    var replacement = PropertyReplacement(details: details, values: values, tags: tags)
    _ = Entity.blank.visit(&replacement)
    details = replacement.details
  }

  /// Returns the change without the details for which another writer's value is kept.
  ///
  /// A detail is contested if its stored value differs both from the one that the caller saw and
  /// from the new one.
  func merged(into stored: Entity.Details, _ merge: Merge) throws(Refusal) -> DetailsChange {
    guard let seen, !tags.isEmpty else { return self }
    var settlement = PropertySettlement(
      tags: tags, seen: seen.details, stored: stored, merge: merge)
    var merged = self
    merged.values = try values.visit(&settlement)
    merged.tags = settlement.tags
    return merged
  }
}

/// Finds the tag of a detail by its offset in memory, which is faster than comparing key paths.
private struct PropertySearch<Details: EntityDetails>: DetailVisitor {
  typealias Failure = Never
  let wanted: PartialKeyPath<Details>
  let offset: Int?
  var found: UInt8?

  @inline(__always)
  mutating func property<C: PropertyCoding>(
    _ line: PropertyLine, _ path: WritableKeyPath<Details, C.Value>, _ value: C.Value,
    _ coding: C.Type
  ) -> C.Value {
    if let place = MemoryLayout<Details>.offset(of: path) {
      if place == offset { found = line.tag }
    } else if offset == nil, path == wanted {
      found = line.tag
    }
    return C.blank
  }
}

/// Finds the details that differ from earlier ones, and makes the others blank.
private struct PropertyComparison<Details: EntityDetails>: DetailVisitor {
  typealias Failure = Never
  let before: Details?
  var different = TagBits()

  mutating func property<C: PropertyCoding>(
    _ line: PropertyLine, _ path: WritableKeyPath<Details, C.Value>, _ value: C.Value,
    _ coding: C.Type
  ) -> C.Value {
    if let before, before[keyPath: path] == value { return Details.blank[keyPath: path] }
    different.insert(line.tag)
    return value
  }
}

/// Replaces the details that change.
private struct PropertyReplacement<Details: EntityDetails>: DetailVisitor {
  typealias Failure = Never
  var details: Details
  let values: Details
  let tags: TagBits

  @inline(__always)
  mutating func property<C: PropertyCoding>(
    _ line: PropertyLine, _ path: WritableKeyPath<Details, C.Value>, _ value: C.Value,
    _ coding: C.Type
  ) -> C.Value {
    if tags.contains(line.tag) { details[keyPath: path] = values[keyPath: path] }
    return C.blank
  }
}

/// Drops or refuses the contested details of a change.
private struct PropertySettlement<Details: EntityDetails>: DetailVisitor {
  typealias Failure = Refusal
  var tags: TagBits
  let seen: Details
  let stored: Details
  let merge: Merge

  mutating func property<C: PropertyCoding>(
    _ line: PropertyLine, _ path: WritableKeyPath<Details, C.Value>, _ value: C.Value,
    _ coding: C.Type
  ) throws(Refusal) -> C.Value {
    guard tags.contains(line.tag) else { return value }
    var wanted: C.Value? = value
    try merge.settle(&wanted, seen[keyPath: path], stored[keyPath: path], line.label)
    if let wanted { return wanted }
    tags.remove(line.tag)
    return Details.blank[keyPath: path]
  }
}
