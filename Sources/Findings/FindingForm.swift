import Bookkeeping
public import Daybook

extension SyncFinding {
  /// A finding as Docs/JSON.md tells it: values in words, with the names of what they name.
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

    struct Unseen: Encodable, Sendable {
      var kind: String
      var entity: EntityID
    }

    var id: String
    var kind: String
    var entity: EntityID
    var rule: String
    var asks: Bool
    /// What the finding is about, in English.
    public var title: String
    /// What the finding says, in English.
    public var text: String
    var values: [Value]
    var unseen: [Unseen]
  }

  /// The forms of findings, in their order.
  ///
  /// - Throws: as ``form(in:)``.
  public static func forms(
    of findings: some Sequence<SyncFinding>, in snapshot: borrowing Snapshot
  ) throws -> [Form] {
    let english = EnglishFindings(try FindingFormat(snapshot))
    var forms: [Form] = []
    for finding in findings { forms.append(try finding.form(in: snapshot, english)) }
    return forms
  }

  /// The finding's form.
  ///
  /// - Parameter snapshot: where the names are looked up.
  /// - Throws: `DaybookError` where the views cannot answer.
  public func form(in snapshot: borrowing Snapshot) throws -> Form {
    try form(in: snapshot, EnglishFindings(try FindingFormat(snapshot)))
  }

  private func form(
    in snapshot: borrowing Snapshot, _ english: EnglishFindings
  ) throws -> Form {
    var told: [Form.Value] = []
    for value in values {
      told.append(
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
      values: told, unseen: unseen.map { Form.Unseen(kind: $0.kind.name, entity: $0.entity) })
  }
}

extension Snapshot {
  /// What an account or category is called; the id of anything else.
  fileprivate func name(of id: EntityID) throws -> String { try listedName(of: id) ?? "\(id)" }
}
