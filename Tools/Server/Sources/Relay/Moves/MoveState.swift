public import SyncWire

/// How a log stands with being moved from one store to another, as each of the two keeps it.
///
/// A ledger is at home in one store: the one where its log is open or frozen. `Docs/Notes/Cells.md` says why it is these
/// steps, and in this order.
public struct MoveState: Hashable, Sendable, Codable {
  /// Where a log is in a move.
  public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
    /// It serves all: nothing moves.
    case open
    /// It is being copied from here: it serves reads, and takes nothing.
    case frozen
    /// It is being copied to here: it serves nobody.
    case arriving
    /// All of it is here: it serves nobody yet.
    case complete
    /// It is in another store.
    case moved
  }

  /// Where the log is in its move.
  public var phase = Phase.open
  /// How many moves of the ledger had begun with this one, wherever: steps of an older one are refused.
  public var number: UInt64 = 0
  /// What the store that it goes to calls this move, so that it arrives in one store alone; 0 where it has none.
  public var ticket: UInt64 = 0
  /// Where devices find a log that has moved; empty where they find it as before.
  public var address = ""

  /// A log that nobody moves.
  public init() {}

  /// How a log stands.
  public init(phase: Phase, number: UInt64, ticket: UInt64 = 0, address: String = "") {
    self.phase = phase
    self.number = number
    self.ticket = ticket
    self.address = address
  }

  /// What is told to whoever wants to know what the log holds; `nil` where they are answered.
  public var readingRefusal: RelayRefusal? {
    switch phase {
    case .open, .frozen: nil
    case .moved where !address.isEmpty: RelayRefusal(.moved, "This ledger is at \(address) now.")
    // Devices come back by themselves, and then reach it where it is.
    case .arriving, .complete, .moved:
      RelayRefusal(.unavailable, "The log is \(phase), and not open here.", retryAfter: 1)
    }
  }

  /// What is told to whoever wants to write; `nil` where the log takes it.
  public var writingRefusal: RelayRefusal? {
    phase == .frozen
      ? RelayRefusal(.unavailable, "The ledger is being moved.", retryAfter: 1) : readingRefusal
  }
}

/// A step of a move: one transaction in one store, which can be repeated.
public enum MoveStep: Hashable, Sendable {
  /// Takes nothing more: open → frozen, with the number of the new move.
  case freeze
  /// Takes it back: frozen → open. Where it is open, the move of that number can no longer begin.
  case thaw
  /// Gives it up to the store that holds all of it, by that one's ticket: frozen → moved.
  case close(ticket: UInt64, address: String)
  /// Serves it: complete → open.
  case open(ticket: UInt64)
  /// Gives up what came here and stands so, arriving or complete → moved.
  case drop(MoveState.Phase)
}

extension MoveState {
  /// How a log stands after a step of a move; the same where the step was taken before.
  ///
  /// - Throws: ``MoveFault/overtaken(_:)`` where the move is over, or another one began.
  public func after(_ step: MoveStep, of move: UInt64) throws -> MoveState {
    var next = self
    next.number = move
    switch (step, phase) {
    case (.freeze, .open) where move > number: next.phase = .frozen
    case (.thaw, .open) where move >= number: break
    case (_, _) where move != number: throw MoveFault.overtaken(self)
    case (.freeze, .frozen), (.drop, .moved): break
    case (.thaw, .frozen): next.phase = .open
    case (.close(let ticket, let address), .frozen):
      next = MoveState(phase: .moved, number: move, ticket: ticket, address: address)
    case (.close(ticket, let address), .moved): next.address = address
    case (.open(ticket), .complete): next.phase = .open
    case (.open(ticket), .open): break
    case (.drop(.arriving), .arriving), (.drop(.complete), .complete): next.phase = .moved
    default: throw MoveFault.overtaken(self)
    }
    return next
  }
}

/// Why a log cannot be moved, or not so.
public enum MoveFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step is of a move that is over, or of one that another began after.
  case overtaken(MoveState)
  /// The store that it was to go to has a log of the ledger.
  case alreadyThere
  /// The log is in another store than the one that it was to go to.
  case elsewhere(address: String)
  /// The store that it is to go to knows of a later move: this one is of an old copy.
  case olderThanThere
  /// What arrived is not what the source holds.
  case incomplete(String)
  /// The source keeps no log that could be moved: it never did, or it arrives there.
  case notHere
  /// Only what has moved can be erased.
  case stillHere

  /// What it is, and what to do.
  public var description: String {
    switch self {
    case .overtaken(let state):
      "Somebody else moves this ledger, or took the move back: it is \(state.phase), move \(state.number). "
        + "Look at it with `daybook-relay ledgers`, and run this again."
    case .alreadyThere: "The other relay has a log of this ledger already."
    case .elsewhere(let address):
      "The ledger was moved to another relay\(address.isEmpty ? "" : ", at \(address)"); move it from there."
    case .olderThanThere:
      "The other relay knows of a later move of this ledger: this relay, or that one, is an old copy."
    case .incomplete(let what): "What arrived is not what is here: \(what). Run this again."
    case .notHere: "This relay does not keep the ledger."
    case .stillHere: "The ledger was not moved to another relay: nothing was erased."
    }
  }
}
