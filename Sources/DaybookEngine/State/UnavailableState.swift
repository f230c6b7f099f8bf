package import DaybookEntities

/// The State passed to a projection that declares that it does not read State; every read throws.
package final class UnavailableState: StateReading, Sendable {
  package static let instance = UnavailableState()

  package func number(of id: EntityID, kind: EntityKind) throws -> UInt64? {
    throw UnavailableState.refusal
  }

  package func record(of id: EntityID, kind: EntityKind) throws -> Record? {
    throw UnavailableState.refusal
  }

  private static let refusal = ProjectingError(
    .quarantined,
    "The projection reads an entity from State, although its “readsState” is false. Set it to "
      + "true.")
}
