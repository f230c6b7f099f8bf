import DaybookEntities
package import DaybookJournal
import DaybookLMDB

/// A format that is not: the second has a table with a row for each commit, made in many transactions.
package enum InventedFormat {
  /// What a program that writes it supports.
  package static let second = FormatSupport(version: 2) { environment, _ in
    let commits = try environment.database(named: "commits")
    let list = try environment.database(named: "list", create: true)
    var keys: [[UInt8]] = []
    try environment.read { transaction in
      try transaction.view.forEach(in: commits) { key, _ in
        keys.append(key.copied())
        return true
      }
    }
    for start in stride(from: 0, to: keys.count, by: 20) {
      try environment.write { transaction in
        for key in keys[start..<min(start + 20, keys.count)] {
          try transaction.put(key, [1], in: list)
        }
      }
    }
  }
}
