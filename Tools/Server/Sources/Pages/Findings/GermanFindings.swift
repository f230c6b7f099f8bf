import Daybook
import DaybookFindings

/// The German text of findings.
struct GermanFindings: FindingLanguage {
  let context: PageContext
  let names: NameBook

  func title(_ subject: FindingSubject) -> String {
    let details = details(subject)
    let noun = context[subject.kind.word]
    if subject.kind == .transaction { return details.isEmpty ? noun : details }
    return details.isEmpty ? noun : "\(noun) „\(details)“"
  }

  func text(_ statement: FindingStatement, _ subject: FindingSubject) -> String {
    let what = phrase(subject)
    let sentences: String =
      switch statement {
      case .disagreement(let holder, let loser, let changes):
        "\(name(loser)) und \(name(holder)) haben \(what) unterschiedlich geändert. \(kept(changes))"
      case .refused(let loser, let changes):
        "\(name(loser)) wollte \(what) ändern, was nicht möglich ist: \(list(changes))."
      case .changedWhileDeleted(let deleter, let changer, let changes):
        "\(name(deleter)) hat \(what) gelöscht, \(name(changer)) zur selben Zeit geändert: "
          + "\(list(changes)). Es bleibt gelöscht."
      case .restoredWhileDeleted(let deleter, let restorer):
        "\(name(deleter)) hat \(what) gelöscht, \(name(restorer)) zur selben Zeit erfasst oder "
          + "wiederhergestellt. Es bleibt gelöscht."
      case .incompatible(let holder, let loser, let changes):
        "\(name(loser)) und \(name(holder)) haben \(what) auf unvereinbare Weise "
          + "geändert. Nur eine der Änderungen gilt. \(kept(changes))"
      case .notLinked(let linker, let other):
        "\(name(linker)) hat \(what) mit einer anderen Buchung zu einer Umbuchung verbunden, "
          + "\(name(other)) zur selben Zeit eine der beiden gelöscht oder verbunden. Sie wurden nicht "
          + "verbunden."
      case .cycle(let mover, let parent):
        "\(name(mover)) hat \(what) unter \(parent.map { "„\(value($0, "parent"))“" } ?? "eine andere") "
          + "verschoben, die zur selben Zeit darunter verschoben wurde. Es bleibt, wo es war."
      case .closedUnseen(let closer, let day, let listed):
        "\(name(closer)) hat die Bücher\(day.map { " bis \(context.day($0))" } ?? "") abgeschlossen, "
          + "ohne dies gesehen zu haben: \(some(listed)). Es bleibt in den Büchern."
      case .changedWhileReconciled(.unknown, let changer, let changes):
        "\(name(changer)) hat \(what) geändert, ohne zu wissen, dass es abgeglichen ist: "
          + "\(list(changes)). Es bleibt, wie es abgeglichen wurde."
      case .changedWhileReconciled(let reconciler, let changer, let changes):
        "\(name(reconciler)) hat \(what) abgeglichen, \(name(changer)) zur selben Zeit geändert: "
          + "\(list(changes)). Es bleibt, wie es abgeglichen wurde."
      case .deletedWhileReconciled(let reconciler, let deleter):
        "\(name(reconciler)) hat \(what) abgeglichen, \(name(deleter)) zur selben Zeit gelöscht. "
          + "Es wurde nicht gelöscht."
      case .recordedInClosedPeriod(let recorder, let closer):
        "\(name(recorder)) hat \(what) in einem Zeitraum erfasst, den \(name(closer)) abgeschlossen "
          + "hatte. Es zählt erst, wenn jemand es annimmt."
      case .changedInClosedPeriod(let changer, let closer, let changes):
        "\(name(changer)) hat \(what) in einem Zeitraum geändert, den \(name(closer)) abgeschlossen "
          + "hatte: \(list(changes)). Die Änderung gilt erst, wenn jemand sie annimmt."
      case .deletedInClosedPeriod(let deleter, let closer):
        "\(name(deleter)) hat \(what) in einem Zeitraum gelöscht, den \(name(closer)) abgeschlossen "
          + "hatte. Es wird erst gelöscht, wenn jemand die Löschung annimmt."
      case .changedTooLate(let changes):
        "Dieses Gerät war zu lange offline. Es hat \(what) geändert, andere inzwischen auch. "
          + kept(changes)
      case .changedTooLateAndGone(let changes):
        "Dieses Gerät war zu lange offline. Es hat \(what) geändert, das inzwischen gelöscht war: "
          + "\(list(changes)). Es bleibt gelöscht."
      case .deletedTooLate:
        "Dieses Gerät war zu lange offline. Es hat \(what) gelöscht, andere haben es inzwischen "
          + "geändert. Es wurde nicht gelöscht."
      case .balanced(let amount):
        "\(what) wurde auf zwei Geräten aufgeteilt, und die Teile ergeben zusammen nicht den Betrag der "
          + "Bank. Ohne Kategorie ist jetzt \(amount.map { value($0, "amount") } ?? "der Rest")."
      case .sameName(let count):
        "\(count) \(subject.kind == .category ? "Kategorien" : "Konten") heißen „\(subject.name)“, "
          + "angelegt auf Geräten, die nichts voneinander wussten. Führen Sie sie zusammen, oder "
          + "benennen Sie eines um."
      case .closedAccount(let balance, let isDeleted):
        "\(what) ist \(isDeleted ? "gelöscht" : "geschlossen"), der Saldo aber "
          + "\(balance.map { value($0, "balance") } ?? "nicht null"). Vielleicht wurde auf einem Gerät "
          + "gebucht, das nichts davon wusste."
      }
    return sentences.prefix(1).uppercased() + sentences.dropFirst()
  }

  private func name(_ party: FindingParty) -> String {
    switch party {
    case .thisDevice: "dieses Gerät"
    case .device(let name): "„\(name)“"
    case .unknown: "ein anderes Gerät"
    }
  }

  private func details(_ subject: FindingSubject) -> String {
    [
      subject.name, subject.day.map { context.day($0) } ?? "",
      subject.amount.map { context.amount($0) } ?? "",
    ].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func phrase(_ subject: FindingSubject) -> String {
    let details = details(subject)
    return subject.kind == .transaction && !details.isEmpty ? "„\(details)“" : title(subject)
  }

  private func some(_ listed: [FindingSubject]) -> String {
    let more = listed.count - 5
    return listed.prefix(5).map(phrase).joined(separator: "; ")
      + (more > 0 ? " und \(more) weitere" : "")
  }

  // MARK: Changes

  /// Lists the requested values: “Betrag 950,00 €, Notiz entfernt”.
  private func list(_ changes: [FindingChange]) -> String {
    changes.map { change in
      let wanted = change.wanted.map { value($0, change.property) } ?? "entfernt"
      return "\(property(change)) \(wanted)"
    }.joined(separator: ", ")
  }

  /// Lists the kept values, each with the lost value.
  private func kept(_ changes: [FindingChange]) -> String {
    let sentences = changes.map { change in
      let holds = change.holds.map { value($0, change.property) } ?? "nichts"
      let wanted = change.wanted.map { value($0, change.property) } ?? "nichts"
      return "\(property(change)): Es gilt \(holds), nicht \(wanted)."
    }
    return sentences.joined(separator: " ")
  }

  private func property(_ change: FindingChange) -> String {
    let name = PropertyText.name(change.property, context)
    return change.part.map { "\(name) in „\(names.name(CategoryID($0), context))“" } ?? name
  }

  private func value(_ value: PropertyValue, _ property: String) -> String {
    CommitText.value(value, property, context, names)
  }
}
