extension EntityState {
  /// Returns the writer of a register's current value, if the value was written above the floor.
  func writer(of register: Register) -> Writer? {
    writers.first { $0.register == register }?.writer
  }

  /// Sets the writer of a register's current value.
  mutating func setWriter(_ writer: Writer?, of register: Register) {
    let index = writers.firstIndex { $0.register >= register } ?? writers.count
    let isThere = index < writers.count && writers[index].register == register
    switch (writer, isThere) {
    case (let writer?, true): writers[index].writer = writer
    case (let writer?, false): writers.insert(RegisterWriter(register, writer), at: index)
    case (nil, true): writers.remove(at: index)
    case (nil, false): break
    }
  }

  /// Discards the writers up to a floor, because every replica has seen their values.
  mutating func forgetWriters(through floor: UInt64) {
    writers.removeAll { $0.writer.position <= floor }
    deletions.removeAll { $0.position <= floor }
    revivals.removeAll { $0.position <= floor }
    erasures.removeAll { $0.position <= floor }
  }
}
