import DaybookEngine
import DaybookEntities
import DaybookSyncWire
import HTTPTypes
public import Hummingbird
import NIOCore
import RateLimits
public import Relay

/// The limits and intervals of a relay server.
public struct RelayOptions: Sendable {
  /// The maximum duration of a long poll (`/v1/ring`), in seconds.
  public var longPollSeconds = 25.0
  /// The maximum number of requests per second for one device, averaged over ten seconds.
  public var requestsPerSecond = 50
  /// The maximum number of devices, and also of invitations, that can be added to a ledger per
  /// hour.
  public var newcomersPerHour = 60
  /// The maximum time that a connection can be idle, and that a request's headers can take, in
  /// seconds.
  public var idleSeconds = 60.0
  /// The maximum time for receiving a request's body, and for sending the response, in seconds.
  public var requestSeconds = 120.0
  /// The maximum number of connections open at once; further clients wait until one is closed.
  ///
  /// ``OpenFiles`` computes the maximum number that the system allows.
  public var connectionCountMax = 960
  /// The duration, in seconds, from which a request is logged as slow, unless it is a long poll.
  public var slowSeconds = 1.0
  /// The interval of maintenance, in seconds.
  public var upkeepSeconds = 60.0
  /// Returns the time of the relay's clock, in microseconds since 1970.
  public var now: @Sendable () -> Int64 = { EventStoreOptions.systemClock() }

  /// Creates the default options.
  public init() {}
}

/// A relay's HTTP API, which works with any store; see `Docs/Sync.md`, "Over HTTP".
public struct RelayServer: Sendable {
  let store: any RelayStore
  let options: RelayOptions
  let metrics = RelayMetrics()
  let known = KnownTokens()
  let rates: RateLimits<Hash256>
  let newcomers: RateLimits<EntityID>
  let invitations: RateLimits<EntityID>

  /// Creates a server for a store.
  public init(_ store: any RelayStore, options: RelayOptions = RelayOptions()) {
    self.store = store
    self.options = options
    let perSecond = Double(options.requestsPerSecond)
    rates = RateLimits(perSecond: perSecond, burst: perSecond * 10)
    let perHour = Double(options.newcomersPerHour)
    newcomers = RateLimits(perSecond: perHour / 3_600, burst: perHour)
    invitations = RateLimits(perSecond: perHour / 3_600, burst: perHour)
  }

  /// Returns the router with all routes.
  public func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: RefusalMiddleware(metrics: metrics, slowSeconds: options.slowSeconds))
    router.get("health/live") { _, _ in "live\n" }
    router.get("health/ready") { _, _ in
      try await store.checkReady()
      return "ready\n"
    }
    router.get("metrics") { _, _ in await metrics.text(store) }
    let log = router.group("v1")
    log.get("status") { request, _ in
      let device = try await device(request)
      return try json(await store.status(of: device.ledger, now: options.now()))
    }
    log.post("push") { request, _ in try await push(request) }
    log.get("pull") { request, _ in try await pull(request) }
    log.get("ring") { request, _ in
      let device = try await device(request)
      let position = try position(request)
      let head = try await metrics.ringing {
        try await store.waitForEntries(
          device.ledger, after: position, seconds: options.longPollSeconds)
      }
      return try json(LongPollAnswer(head: head))
    }
    addSnapshots(log)
    addDevices(log)
    return router
  }

  private func push(_ request: Request) async throws -> Response {
    let token = try token(request)
    let ledger = try await ledger(of: token)
    let bytes = try await body(request)
    let page = try PushPage(bytes: bytes)
    let found = try await store.push(page, to: ledger, by: token, now: options.now())
    let answer = if let found { found } else { try await pushFirst(page, to: ledger, token) }
    metrics.count(.pushes)
    metrics.count(.pushedBytes, bytes.count)
    metrics.count(.pushedEntries, page.entries.count - answer.duplicates)
    return try json(answer)
  }

  /// Handles a push that the store rejected because of its token.
  ///
  /// If this is the device's first push as a replica, the replica is bound to the token. A revoked
  /// device is refused.
  private func pushFirst(
    _ page: PushPage, to ledger: EntityID, _ token: Hash256
  ) async throws -> PushAnswer {
    let device = try await lookUp(token)
    let replica = page.entries[0].header.replica
    if !device.replicas.contains(replica) { try await store.bind(token, to: replica) }
    return try await store.push(page, to: ledger, now: options.now())
  }

  private func pull(_ request: Request) async throws -> Response {
    let token = try token(request)
    let ledger = try await ledger(of: token)
    let position = try position(request)
    let found = try await store.pull(
      from: ledger, by: token, after: position, byteCountMax: WireLimits.pageByteCountMax)
    guard let page = found else {
      // The device has been revoked. Looking it up again reports the revocation only once it is
      // durable.
      _ = try await lookUp(token)
      throw unauthorized
    }
    let bytes = page.bytes
    metrics.count(.pulls)
    metrics.count(.pulledEntries, page.entries.count)
    metrics.count(.pulledBytes, bytes.count)
    return binary(bytes)
  }

  private func addSnapshots(_ log: RouterGroup<BasicRequestContext>) {
    log.put("chunks") { request, _ in
      let device = try await device(request)
      try await store.putChunk(SealedEntry(bytes: await body(request)), of: device.ledger)
      return Response(status: .noContent)
    }
    log.get("chunks/:digest") { request, context in
      let device = try await device(request)
      guard let digest = Hash256(try context.parameters.require("digest")) else {
        throw RelayRefusal(.malformed, "A digest must have 64 hexadecimal digits.")
      }
      return binary(try await store.chunk(digest, of: device.ledger).bytes)
    }
    log.put("manifest") { request, _ in
      let device = try await device(request)
      let body = try ManifestBody(bytes: await body(request))
      try await store.putManifest(body.manifest, chunks: body.chunks, of: device.ledger)
      return Response(status: .noContent)
    }
    log.get("manifest") { request, _ in
      binary(try await store.manifest(of: device(request).ledger).bytes)
    }
  }
}
