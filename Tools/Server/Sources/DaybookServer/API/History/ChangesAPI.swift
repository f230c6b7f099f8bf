import AsyncAlgorithms
import Daybook
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// `/v1/changes`: commits as they are recorded, as server-sent events.
///
/// The id of an event is the token after its commit, so a browser that reconnects continues from
/// its last event.
enum ChangesAPI {
  static let endpoints: [Endpoint] = [
    Endpoint(.get, "/changes", "followChanges", query: ["after"]) { call in try follow(call) }
  ]

  /// The interval of the comments that keep a connection alive.
  private static let heartbeatSeconds = 15

  private enum Event: Sendable {
    case commit(HistoryEntry)
    case heartbeat
  }

  private static func follow(_ call: Call) throws -> Answer {
    let newest = try call.ledger.token
    let text = call.head.headerFields[.lastEventID] ?? call.query.text("after")
    let token = try text.map { text in
      guard let token = Token(text) else {
        throw Problem.header(
          "Last-Event-ID", "“\(text.excerpt)” is not a token of this ledger.",
          remedy: "Send the id of the last received event, or leave the header out to start now.")
      }
      return token
    }
    // Reject an unusable token before the stream begins.
    _ = try call.ledger.history(after: token ?? newest)
    let service = call.service
    try service.streams.withLock { count in
      guard count < LedgerService.streamCountMax else { throw RateLimit.problem }
      count += 1
    }
    let place = StreamPlace(service)
    let body = ResponseBody { writer in
      defer { place.leave() }
      try await writer.write(ByteBuffer(string: "retry: 1000\n: \(newest.text)\n\n"))
      let commits = call.ledger.changes(
        after: token ?? newest, changeCountMax: HistoryAPI.changeCountMax
      ).map { Event.commit($0) }
      let beats = AsyncTimerSequence(
        interval: .seconds(heartbeatSeconds), clock: ContinuousClock()
      ).map { _ in Event.heartbeat }
      for try await event in merge(commits, beats).cancelOnGracefulShutdown() {
        switch event {
        case .heartbeat: try await writer.write(ByteBuffer(string: ":\n\n"))
        case .commit(let entry):
          let text =
            "id: \(entry.token.text)\nevent: commit\ndata: \(try JSONValue(entry).line)\n\n"
          try await writer.write(ByteBuffer(string: text))
        }
      }
      try await writer.finish(nil)
    }
    var answer = Answer(.ok, .other(body, type: "text/event-stream"), token: nil)
    answer.headers[.cacheControl] = "no-store"
    answer.headers[.ledgerToken] = newest.text
    return answer
  }
}

/// A slot for one open stream, of which there is a limited number.
///
/// The slot is released when the stream ends, or in `deinit` if the stream never began.
final class StreamPlace: Sendable {
  private let service: LedgerService
  private let hasLeft = Mutex(false)

  init(_ service: LedgerService) { self.service = service }

  func leave() {
    let isFirst = hasLeft.withLock { left in
      defer { left = true }
      return !left
    }
    if isFirst { service.streams.withLock { $0 -= 1 } }
  }

  deinit { leave() }
}
