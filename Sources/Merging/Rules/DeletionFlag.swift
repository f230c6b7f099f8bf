extension KindRules {
  /// A register that says that an entity is deleted, where its record stays because others refer to it.
  ///
  /// It is merged like any other. What the two sides had not seen of each other is a finding
  /// (``FindingRule/deletionStands``), as where an entity is gone.
  public struct DeletionFlag: Sendable {
    /// Which register.
    public var register: Register
    /// Whether a value of it says that the entity is deleted.
    public var isSet: @Sendable ([UInt8]) -> Bool

    /// A register that says so.
    public init(_ register: Register, isSet: @escaping @Sendable ([UInt8]) -> Bool) {
      self.register = register
      self.isSet = isSet
    }
  }
}
