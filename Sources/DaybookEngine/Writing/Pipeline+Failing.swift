internal import DaybookJournal

extension Pipeline {
  /// A group of batches that are projected in one transaction.
  struct Group {
    let batches: ArraySlice<CommitBatch>
    /// The epoch in which the group was taken.
    let epoch: UInt64
    /// The newest commit before the group.
    let previous: Checkpoint
    /// The batch with the newest commit.
    let last: CommitBatch
  }

  /// The condition of the projectors' stage, which may have failed.
  enum Condition {
    case working
    /// The stage has failed.
    ///
    /// The journal's stage must update the views, and readers wait until it has.
    case broken
    /// The journal's stage could not update the views either.
    ///
    /// Every append tries to update them again.
    case failed(any Error)
    case stopped

    var isWorking: Bool {
      if case .working = self { true } else { false }
    }
  }

  // MARK: When projecting fails

  /// Whether the projectors' stage has failed and the views have not been updated since then.
  var isBroken: Bool {
    monitor.locked {
      switch condition {
      case .broken, .failed: true
      case .working, .stopped: false
      }
    }
  }

  /// Records that the journal's stage has updated the views up to a commit.
  func mended(at sequence: UInt64) {
    monitor.locked {
      if case .stopped = condition { return }
      condition = .working
      progress.begin(at: sequence)
    }
    monitor.wakeAll(.progress)
  }

  /// Records that the journal's stage could not update the views.
  func fail(for cause: any Error) {
    monitor.locked {
      if case .stopped = condition { return }
      condition = .failed(cause)
    }
    monitor.wakeAll(.progress)
  }
}
