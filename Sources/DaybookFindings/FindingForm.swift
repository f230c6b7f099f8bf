public import Daybook
import DaybookBookkeeping

extension SyncFinding {
  /// The JSON form of a finding, as described in Docs/JSON.md: values as text, with the names of
  /// accounts and categories.
  public struct Form: Encodable, Sendable {
    struct Value: Encodable, Sendable {
      var property: String
      var lost: String?
      var lostBy: String?
      var lostAt: Moment?
      var holds: String?
      var heldBy: String?
      var heldAt: Moment?
    }

    struct UnseenEntity: Encodable, Sendable {
      var kind: String
      var entity: EntityID
    }

    var id: String
    var kind: String
    var entity: EntityID
    var rule: String
    var asks: Bool
    /// The title, in English: the finding's subject.
    public var title: String
    /// The finding's text, in English.
    public var text: String
    var values: [Value]
    var unseen: [UnseenEntity]
  }

  /// Returns the forms of findings, in the same order.
  ///
  /// - Throws: The same errors as ``form(in:)``.
  public static func forms(
    of findings: some Sequence<SyncFinding>, in snapshot: borrowing Snapshot
  ) throws -> [Form] {
    let english = EnglishFindings(try FindingFormat(snapshot))
    var forms: [Form] = []
    for finding in findings { forms.append(try finding.form(in: snapshot, english)) }
    return forms
  }

  /// Returns the finding's form.
  ///
  /// - Parameter snapshot: The snapshot in which names are looked up.
  /// - Throws: `DaybookError` if the views can't be read.
  public func form(in snapshot: borrowing Snapshot) throws -> Form {
    try form(in: snapshot, EnglishFindings(try FindingFormat(snapshot)))
  }

  private func form(
    in snapshot: borrowing Snapshot, _ english: EnglishFindings
  ) throws -> Form {
    var forms: [Form.Value] = []
    for value in values {
      forms.append(
        Form.Value(
          property: value.property, lost: try value.lost?.text { try snapshot.name(of: $0) },
          lostBy: value.lostBy,
          lostAt: value.lostAt.map { Moment(microseconds: $0) },
          holds: try value.holds?.text { try snapshot.name(of: $0) }, heldBy: value.heldBy,
          heldAt: value.heldAt.map { Moment(microseconds: $0) }))
    }
    let subject = try subject(in: snapshot)
    return Form(
      id: id, kind: kind.name, entity: entity, rule: rule.rawValue, asks: asks,
      title: english.title(subject), text: english.text(try statement(in: snapshot), subject),
      values: forms,
      unseen: unseen.map { Form.UnseenEntity(kind: $0.kind.name, entity: $0.entity) })
  }
}

extension Snapshot {
  /// Returns the name of an account or category, or the id of any other entity.
  fileprivate func name(of id: EntityID) throws -> String { try listedName(of: id) ?? "\(id)" }
}
