import DaybookBookkeeping
import DaybookEntities

/// The English text of findings, for the user of this device.
///
/// ```swift
/// let english = try EnglishFindings(FindingFormat(snapshot))
/// print(english.text(try finding.statement(in: snapshot), try finding.subject(in: snapshot)))
/// ```
public struct EnglishFindings: FindingLanguage {
  let format: FindingFormat

  /// Creates the language with a format for days, amounts and names.
  public init(_ format: FindingFormat) { self.format = format }

  /// The title of a finding: its subject.
  public func title(_ subject: FindingSubject) -> String {
    let details = details(subject)
    if subject.kind == .transaction { return details.isEmpty ? "Transaction" : details }
    let noun = noun(subject.kind)
    let head = noun.prefix(1).uppercased() + noun.dropFirst()
    return details.isEmpty ? head : "\(head) “\(details)”"
  }

  /// The text of a finding: one or more sentences.
  public func text(_ statement: FindingStatement, _ subject: FindingSubject) -> String {
    let what = phrase(subject)
    let sentences: String =
      switch statement {
      case .disagreement(let holder, let loser, let changes):
        disagreement(holder, loser, changes, what)
      case .refused(let loser, let changes):
        "\(name(loser)) changed \(list(changes, of: what)), which can never change."
      case .changedWhileDeleted(let deleter, let changer, let changes):
        "\(name(deleter)) deleted \(what) while \(name(changer)) \(deeds(changes)). It stays deleted."
      case .restoredWhileDeleted(let deleter, let restorer):
        "\(name(deleter)) deleted \(what) while \(name(restorer)) recorded or restored it. "
          + "It stays deleted."
      case .incompatible(let holder, let loser, let changes):
        "\(name(loser)) and \(name(holder)) changed \(what) in incompatible ways, so only "
          + "one could be kept: \(values(changes))"
      case .notLinked(let linker, let other):
        "\(name(linker)) linked \(what) with another transaction to a transfer, while "
          + "\(name(other)) deleted or linked one of the two. They were not linked."
      case .cycle(let mover, let parent):
        "\(name(mover)) moved \(what) under \(parent.map(text) ?? "another one"), which was moved "
          + "under it at the same time. It stays where it was."
      case .closedUnseen(let closer, let day, let listed):
        closedUnseen(closer, day, listed)
      case .changedWhileReconciled(.unknown, let changer, let changes):
        "\(name(changer)) \(deeds(changes, of: what)) without knowing that it was reconciled. "
          + "The reconciled version was kept."
      case .changedWhileReconciled(let reconciler, let changer, let changes):
        "\(name(reconciler)) reconciled \(what) while \(name(changer)) \(deeds(changes)). "
          + "The reconciled version was kept."
      case .deletedWhileReconciled(let reconciler, let deleter):
        "\(name(reconciler)) reconciled \(what) while \(name(deleter)) deleted it. It was not deleted."
      case .recordedInClosedPeriod(let recorder, let closer):
        "\(name(recorder)) recorded \(what) in a period that \(name(closer)) had closed. "
          + "It isn't counted until you accept it."
      case .changedInClosedPeriod(let changer, let closer, let changes):
        "\(name(changer)) \(deeds(changes, of: what)) in a period that \(name(closer)) had closed. "
          + "The change isn't counted until you accept it."
      case .deletedInClosedPeriod(let deleter, let closer):
        "\(name(deleter)) deleted \(what) in a period that \(name(closer)) had closed. "
          + "It is not deleted until you accept the deletion."
      case .changedTooLate(let changes):
        "This device was offline for too long. You \(deeds(changes, of: what)), but others had "
          + "made conflicting changes in the meantime: \(values(changes))"
      case .changedTooLateAndGone(let changes):
        "This device was offline for too long. You \(deeds(changes, of: what)), but it had been "
          + "deleted in the meantime. It stays deleted."
      case .deletedTooLate:
        "This device was offline for too long. You deleted \(what), but others had changed it in "
          + "the meantime. It was not deleted."
      case .balanced(let amount):
        "\(what) was split on two devices, and together the parts don't add up to the bank's total. "
          + "\(amount.map(text) ?? "The rest") is uncategorised now."
      case .sameName(let count):
        "\(Self.number(count)) \(plural(subject.kind)) are called \(quoted(subject)): each was created "
          + "on a device that didn't know of the others. Merge them, or rename one."
      case .closedAccount(let balance, let isDeleted):
        "\(what) is \(isDeleted ? "deleted" : "closed"), but its balance is "
          + "\(balance.map(text) ?? "not zero"). Perhaps a transaction was recorded on a device that "
          + "didn't know."
      }
    return sentences.prefix(1).uppercased() + sentences.dropFirst()
  }

  private func disagreement(
    _ holder: FindingParty, _ loser: FindingParty, _ changes: [FindingChange], _ what: String
  ) -> String {
    guard changes.count == 1, let change = changes.first, !change.isFlag else {
      return "\(name(loser)) and \(name(holder)) both changed \(what): \(values(changes))"
    }
    let kept =
      change.holds.map { "changed it to \(text($0)), which was kept" }
      ?? "removed it. It stays removed"
    return "\(name(loser)) \(deeds(changes, of: what)) while \(name(holder)) \(kept)."
  }

  private func closedUnseen(
    _ closer: FindingParty, _ day: Day?, _ listed: [FindingSubject]
  ) -> String {
    let through = day.map { " through \(format.day($0))" } ?? ""
    let first = listed.prefix(Self.listedMax).map(phrase).joined(separator: "; ")
    let more = listed.count - Self.listedMax
    let rest = more > 0 ? " and \(more) more" : ""
    return "\(name(closer)) closed the books\(through) without having seen \(first)\(rest). "
      + "The recorded data stays in the books."
  }

  private static let listedMax = 5
}
