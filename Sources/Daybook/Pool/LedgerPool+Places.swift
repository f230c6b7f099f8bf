extension LedgerPool {
  /// Opens a ledger if necessary, and keeps it open until ``give(_:)`` is called.
  func take(_ path: String) async throws(DaybookError) -> Ledger {
    while true {
      guard !isClosed else {
        throw DaybookError(
          code: .closed, message: "Couldn't open the ledger: the LedgerPool is closed.",
          remedy: "Create another LedgerPool.")
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
      // Forget the failed attempt, so that the next caller tries again.
      if places[path] === place { places[path] = nil }
      wakeWaiters()
      throw error
    }
  }

  /// Ends one use of a ledger.
  func give(_ path: String) async {
    guard let place = places[path] else { return }
    place.userCount -= 1
    guard place.userCount == 0 else { return }
    place.idleSince = .now
    wakeWaiters()
    await makeRoom()
    sweepLater()
  }

  /// Closes the least recently used idle ledgers while too many are open.
  private func makeRoom() async {
    while places.values.count(where: { $0.closing == nil }) > limit,
      let (path, place) = places.filter({ $0.value.isIdle }).min(by: {
        $0.value.lastUse < $1.value.lastUse
      })
    {
      await closing(path, place).value
    }
  }

  /// Closes an idle ledger, or waits until its state changes.
  func closeOrWait(_ path: String, _ place: Place) async {
    if let closing = place.closing {
      await closing.value
    } else if place.userCount == 0 {
      await closing(path, place).value
    } else {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  /// Starts closing an idle ledger; new callers wait until it is closed and then open it again.
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

  /// Starts a timer that closes ledgers after their idle time; does nothing if the timer is already
  /// running.
  ///
  /// The timer ends when no ledger is idle.
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
