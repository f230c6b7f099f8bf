extension LedgerPool {
  /// Takes a ledger that stays open until it is given back.
  func take(_ path: String) async throws(DaybookError) -> Ledger {
    while true {
      guard !isClosed else {
        throw DaybookError(
          code: .closed, message: "The pool of ledgers has been closed.",
          remedy: "Make another LedgerPool.")
      }
      guard let closing = places[path]?.closing else { break }
      await closing.value
    }
    useCount += 1
    let place: Place
    if let present = places[path] {
      place = present
      place.userCount += 1
      place.lastUse = useCount
      place.idleSince = nil
    } else {
      place = Place(
        Task {
          await makeRoom()
          do throws(DaybookError) {
            return .success(try await Ledger.open(at: path, options: options))
          } catch {
            return .failure(error)
          }
        }, use: useCount)
      places[path] = place
    }
    switch await place.opening.value {
    case .success(let ledger): return ledger
    case .failure(let error):
      // Whoever asks next tries again.
      if places[path] === place { places[path] = nil }
      wakeWaiters()
      throw error
    }
  }

  /// Gives a ledger back.
  func give(_ path: String) async {
    guard let place = places[path] else { return }
    place.userCount -= 1
    guard place.userCount == 0 else { return }
    place.idleSince = .now
    wakeWaiters()
    await makeRoom()
    sweepLater()
  }

  /// Closes the least recently used of the ledgers that nobody uses, as long as there are too many.
  private func makeRoom() async {
    while places.values.count(where: { $0.closing == nil }) > limit,
      let (path, place) = places.filter({ $0.value.isIdle }).min(by: {
        $0.value.lastUse < $1.value.lastUse
      })
    {
      await closing(path, place).value
    }
  }

  /// Closes a ledger that nobody uses, or waits for something to change.
  func closeOrWait(_ path: String, _ place: Place) async {
    if let closing = place.closing {
      await closing.value
    } else if place.userCount == 0 {
      await closing(path, place).value
    } else {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  /// Begins to close a ledger that nobody uses; whoever asks for it now waits, and opens it again.
  private func closing(_ path: String, _ place: Place) -> Task<Void, Never> {
    let closing = Task {
      if case .success(let ledger) = await place.opening.value {
        do throws(DaybookError) {
          try await ledger.close()
        } catch {
          closingFault = closingFault ?? error
        }
      }
      places[path] = nil
      wakeWaiters()
    }
    place.closing = closing
    return closing
  }

  func wakeWaiters() {
    let woken = waiters
    waiters = []
    for waiter in woken { waiter.resume() }
  }

  /// Sees to it that ledgers are closed once they have been idle for long: by one timer, which is gone when none is
  /// idle.
  private func sweepLater() {
    guard let idleTime, sweeper == nil, !isClosed else { return }
    sweeper = Task {
      while let first = places.values.filter(\.isIdle).compactMap(\.idleSince).min() {
        do { try await Task.sleep(until: first + idleTime, clock: .continuous) } catch { break }
        let now = ContinuousClock.now
        for (path, place) in places where place.isIdle {
          if let since = place.idleSince, since + idleTime <= now {
            await closing(path, place).value
          }
        }
      }
      sweeper = nil
    }
  }
}
