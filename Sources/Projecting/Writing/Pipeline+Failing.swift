internal import Journal

extension Pipeline {
  /// Batches that are projected in one transaction.
  struct Group {
    let batches: ArraySlice<CommitBatch>
    /// The epoch in which it was taken.
    let epoch: UInt64
    /// The commit before the first.
    let previous: Checkpoint
    /// The newest commit.
    let last: CommitBatch
  }

  /// How the projectors' stage is.
  enum Condition {
    case working
    /// It has failed; the journal's stage is to bring the views up, and readers wait for that.
    case broken
    /// The views could not be brought up either. Every append tries again.
    case failed(any Error)
    case stopped

    var isWorking: Bool {
      if case .working = self { true } else { false }
    }
  }

  // MARK: When projecting fails

  /// Whether the projectors' stage has failed, and what it lacks was not brought in.
  var isBroken: Bool {
    monitor.locked {
      switch condition {
      case .broken, .failed: true
      case .working, .stopped: false
      }
    }
  }

  /// Says that the journal's stage has brought the views up to a commit.
  func mended(at sequence: UInt64) {
    monitor.locked {
      if case .stopped = condition { return }
      condition = .working
      progress.begin(at: sequence)
    }
    monitor.wakeAll(.progress)
  }

  /// Says that the views could not be brought up.
  func fail(for cause: any Error) {
    monitor.locked {
      if case .stopped = condition { return }
      condition = .failed(cause)
    }
    monitor.wakeAll(.progress)
  }
}
