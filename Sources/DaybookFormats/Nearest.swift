/// Suggestions for mistyped names.
package enum Nearest {
  /// Returns the most similar name, or `nil` if none is similar enough.
  package static func name(to text: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(text.lowercased().prefix(100))
    var best: (name: String, distance: Int)?
    for name in names {
      let candidate = Array(name.lowercased().prefix(100))
      let distance = distance(wanted, candidate)
      // If every letter differs, the name isn't a typo of this candidate.
      let isLike = distance <= max(1, wanted.count / 3) && distance < wanted.count
      if isLike, distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  /// Returns the Damerau–Levenshtein distance: the number of letters to replace, insert, delete or
  /// swap with a neighbour.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    var above = row
    for (i, a) in left.enumerated() {
      let twoAbove = above
      above = row
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        var next = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
        if i > 0, j > 0, a == right[j - 1], left[i - 1] == b {
          next = min(next, twoAbove[j - 1] + 1)
        }
        diagonal = row[j + 1]
        row[j + 1] = next
      }
    }
    return row[right.count]
  }
}
