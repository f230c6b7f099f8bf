extension KindRules {
  /// A register that marks an entity as deleted, while its record is kept because other entities
  /// refer to it.
  ///
  /// It is merged like any other register. If one side deletes the entity and the other changes it,
  /// and one author hasn't seen the other's commit, there is a finding
  /// (``FindingRule/deletionStands``), as for a real deletion.
  public struct DeletionFlag: Sendable {
    /// The register.
    public var register: Register
    /// Returns whether a value of the register marks the entity as deleted.
    public var isSet: @Sendable ([UInt8]) -> Bool

    /// Creates a deletion flag.
    public init(_ register: Register, isSet: @escaping @Sendable ([UInt8]) -> Bool) {
      self.register = register
      self.isSet = isSet
    }
  }
}
