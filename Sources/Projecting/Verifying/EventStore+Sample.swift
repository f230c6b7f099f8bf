internal import Entities
internal import Journal
internal import LMDB

extension EventStore {
  /// Proves a part of the views and of the journal, in bounded time.
  ///
  /// What is looked at is chosen by the seed:
  /// - stretches of commits, the newest among them, whose chain is computed anew;
  /// - rows that carry a seal;
  /// - entities, whose properties in State are compared with the newest values that history gives them;
  /// - of the same entities every row that the projections put for them;
  /// - totals, which are added up anew from the entities of their days;
  /// - every row of projections that are derived from totals, which are had from these anew.
  ///
  /// ``VerificationReport/coverage`` says how much of each. What is not in the sample is not looked at; with
  /// a share below 1 neither are the baseline's digest and rows of projections that no entity puts. Readers
  /// and writers go on meanwhile: what is looked at is as of the commit that was newest at the start. Runs
  /// on the caller's thread.
  ///
  /// - Complexity: O(commits + entities) to find what is chosen, and the work of a full verification for
  ///   its share; not more than the time that is given.
  public func verify(
    sample: VerificationSample, progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> VerificationReport {
    let views = SampledViews(try view(), schema: schema)
    let journal = views.open.journal
    let deadline = Deadline(seconds: sample.seconds)
    for entry in try views.silent() { views.findings.append(.doesNotAnswer(entry.name)) }
    let parts: [(Deadline) throws -> Void] = [
      { try self.verifyStretches(of: journal, views, sample, $0) },
      { try self.verifySeals(of: journal, views, sample, $0) },
      {
        var part = try StateSample(views, sample, $0)
        try part.run()
      },
      {
        var part = try RowSample(views, sample, $0)
        try part.run()
      },
      {
        var part = try TotalsSample(views, sample, $0)
        try part.run()
      },
      {
        let check = try DerivedCheck(views, $0).run()
        views.differences += check.differences
        if let coverage = check.coverage { views.coverage.append(coverage) }
      },
    ]
    for (index, part) in parts.enumerated() {
      progress?(Double(index) / Double(parts.count))
      try part(deadline.part(of: parts.count - index))
    }
    if sample.isWhole, !deadline.isOver, try !journal.verifyBaseline() {
      views.find("The baseline is not what was purged into it: restore the ledger from a backup.")
    }
    var report = VerificationReport()
    report.findings =
      views.findings
      + explain(views.differences, in: journal, through: views.sequence)
    report.coverage = views.coverage
    progress?(1)
    return report
  }

  /// So many commits are checked in a row.
  static let stretchCommitCount: UInt64 = 64

  /// Computes the chain of some stretches anew: each from the link that the commit before it holds, which
  /// the stretch before it proves, so that all together prove the whole chain.
  private func verifyStretches(
    of journal: JournalStore, _ views: SampledViews, _ sample: VerificationSample,
    _ deadline: Deadline
  ) throws {
    let (floor, head) = (try journal.floor().sequence, views.sequence)
    let count = head - min(floor, head)
    var stretches = Array(stride(from: 0, to: count, by: Int(EventStore.stretchCommitCount)))
    let newest = stretches.popLast()
    var random = SampleGenerator(sample.seed)
    stretches = stretches.shuffled(using: &random)
    let wanted = sample.isWhole ? stretches.count : Int(Double(stretches.count) * sample.share)
    stretches = (newest.map { [$0] } ?? []) + stretches.prefix(wanted)
    var (checked, isCutShort) = (0 as UInt64, false)
    do {
      for begin in stretches {
        isCutShort = deadline.isOver
        if isCutShort { break }
        let end = min(head, floor + begin + EventStore.stretchCommitCount)
        var after = floor + begin
        while after < end {
          do {
            checked += try journal.verifyChain(after: after, through: end).commitCount
            break
          } catch let error as JournalError where error.isAboutWhatWasPurged {
            // What is left of it, if anything.
            after = max(after + 1, try journal.floor().sequence)
          }
        }
      }
    } catch let error as JournalError {
      views.find(error.message, at: error.sequence)
    }
    views.coverage.append(
      VerificationCoverage(.commits, checked: checked, of: count, isCutShort: isCutShort))
  }

  private func verifySeals(
    of journal: JournalStore, _ views: SampledViews, _ sample: VerificationSample,
    _ deadline: Deadline
  ) throws {
    var places: [[UInt8]]?
    if !sample.isWhole {
      var random = SampleGenerator(~sample.seed)
      // The keys of these rows are digests: any place is as likely as any other.
      let count = Int((Double(try journal.keyCount()) * sample.share).rounded(.up))
      places = (0..<count).map { _ in
        var place = ByteWriter(reserving: 8)
        place.u64be(random.next())
        return place.bytes
      }
    }
    var isCutShort = false
    do {
      let (checked, total) = try journal.verifySeals(keysAt: places) {
        isCutShort = deadline.isOver
        return !isCutShort
      }
      views.coverage.append(
        VerificationCoverage(.seals, checked, of: total, isCutShort: isCutShort))
    } catch let error as JournalError {
      views.find(error.message, at: error.sequence)
    }
  }
}

extension JournalError {
  /// Whether what was asked for has been purged.
  var isAboutWhatWasPurged: Bool {
    if case .token(.expired) = code { true } else { false }
  }
}
