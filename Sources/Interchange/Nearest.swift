/// What somebody who mistyped a name may have meant.
package enum Nearest {
  /// The name that differs least, where it differs little.
  package static func name(to text: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(text.lowercased().prefix(100))
    var best: (name: String, distance: Int)?
    for name in names {
      let candidate = Array(name.lowercased().prefix(100))
      let distance = distance(wanted, candidate)
      if distance <= max(1, wanted.count / 3), distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  /// How many letters have to be changed, added or left out (Levenshtein).
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = next
      }
    }
    return row[right.count]
  }
}
