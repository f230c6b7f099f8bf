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
    var values: [Value]
    var unseen: [Unseen]
  }

  /// The forms of findings, in their order.
  ///
  /// - Throws: as ``form(in:)``.
  public static func forms(
    of findings: some Sequence<SyncFinding>, in snapshot: borrowing Snapshot
  ) throws -> [Form] {
    var forms: [Form] = []
    for finding in findings { forms.append(try finding.form(in: snapshot)) }
    return forms
  }

  /// The finding's form.
  ///
  /// - Parameter snapshot: where the names are looked up.
  /// - Throws: `DaybookError` where the views cannot answer.
  public func form(in snapshot: borrowing Snapshot) throws -> Form {
    var told: [Form.Value] = []
    for value in values {
      told.append(
        Form.Value(
          property: value.property, lost: try value.lost?.words(in: snapshot), lostBy: value.lostBy,
          lostAt: value.lostAt.map { Moment(microseconds: $0) },
          holds: try value.holds?.words(in: snapshot), heldBy: value.heldBy,
          heldAt: value.heldAt.map { Moment(microseconds: $0) }))
    }
    return Form(
      id: id, kind: kind.name, entity: entity, rule: rule.rawValue, asks: asks, values: told,
      unseen: unseen.map { Form.Unseen(kind: $0.kind.name, entity: $0.entity) })
  }
}

extension PropertyValue {
  /// The value for people, in English.
  fileprivate func words(in snapshot: borrowing Snapshot) throws -> String {
    switch self {
    case .text(let text): "“\(text)”"
    case .texts(let texts): texts.joined(separator: ", ")
    case .day(let day): "\(day)"
    case .number(let number): "\(number)"
    case .flag(let flag): flag ? "yes" : "no"
    case .choice(let name): name
    case .entity(let id): try snapshot.name(of: id)
    case .currency(let currency): currency.code
    case .money(let money): "\(money.text) \(money.currency.code)"
    case .quote(let quote): "\(quote)"
    case .bytes(let bytes): "(\(bytes.count) bytes)"
    case .postings(let postings): try snapshot.words(of: postings)
    }
  }
}

extension Snapshot {
  fileprivate func words(of postings: [Posting]) throws -> String {
    var parts: [String] = []
    for posting in postings {
      let id: EntityID =
        switch posting.account {
        case .account(let id): id.rawValue
        case .category(let id): id.rawValue
        }
      parts.append("\(try name(of: id)) \(posting.amount.text) \(posting.amount.currency.code)")
    }
    return parts.joined(separator: ", ")
  }

  /// What an account or category is called; the id of anything else.
  fileprivate func name(of id: EntityID) throws -> String {
    if let name = try account(AccountID(id))?.name ?? Account.builtinName(AccountID(id)) {
      return name
    }
    return try path(of: CategoryID(id)).map { "\($0)" } ?? "\(id)"
  }
}
