import DaybookSyncWire
import HTTPTypes
import Hummingbird
import Logging

/// Turns thrown errors into refusals that a device understands, and logs refused and slow requests.
///
/// Log lines contain the route instead of the path, because a mailbox's name is as secret as a
/// token. They contain no names and no contents of request bodies.
struct RefusalMiddleware: RouterMiddleware {
  let metrics: RelayMetrics
  /// The duration, in seconds, from which a request is logged as slow, unless it is a long poll.
  let slowSeconds: Double

  @concurrent func handle(
    _ request: Request, context: BasicRequestContext,
    next: @concurrent (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    metrics.count(.requests)
    let start = ContinuousClock.now
    var response: Response?
    var refusal: RelayRefusal?
    var reason: String?
    do {
      response = try await next(request, context)
    } catch let thrown as RelayRefusal where thrown.code == .unavailable {
      // The cause and the database's address are logged for the operator, not sent to devices.
      reason = thrown.message
      refusal = unavailable(retryAfter: thrown.retryAfter)
    } catch let thrown as RelayRefusal {
      refusal = thrown
    } catch let error as WireError {
      let code: RelayRefusal.Code =
        switch error.code {
        case .unknownVersion: .otherVersion
        case .tooLarge: .tooLarge
        default: .malformed
        }
      refusal = RelayRefusal(code, error.description)
    } catch let error as HTTPError where error.status == .notFound {
      refusal = RelayRefusal(.notFound, "The path \(request.uri.path) doesn't exist.")
    } catch {
      reason = "\(error)"
      refusal = unavailable(retryAfter: 5)
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    log(request, context, refusal, reason, seconds)
    if let response { return response }
    return try refused(refusal ?? unavailable(retryAfter: 5))
  }

  private func log(
    _ request: Request, _ context: BasicRequestContext, _ refusal: RelayRefusal?,
    _ reason: String?, _ seconds: Double
  ) {
    let route = context.endpointPath ?? "none"
    guard refusal != nil || (seconds >= slowSeconds && route != "/v1/ring") else { return }
    var metadata: Logger.Metadata = [
      "method": "\(request.method)", "route": "\(route)", "ms": "\(Int(seconds * 1_000))",
    ]
    if let refusal {
      metadata["code"] = "\(refusal.code.rawValue)"
      metadata["status"] = "\(Self.status(of: refusal.code).code)"
    }
    if let reason { metadata["reason"] = "\(reason)" }
    context.logger.log(
      level: reason == nil ? .notice : .error, refusal == nil ? "slow" : "refused",
      metadata: metadata)
  }

  private func unavailable(retryAfter: Int?) -> RelayRefusal {
    RelayRefusal(
      .unavailable, "The relay is temporarily unavailable. Try again.", retryAfter: retryAfter)
  }

  private func refused(_ refusal: RelayRefusal) throws -> Response {
    metrics.count(.refusals)
    var response = try answer(refusal, Self.status(of: refusal.code))
    if let seconds = refusal.retryAfter { response.headers[.retryAfter] = String(seconds) }
    return response
  }

  private static func status(of code: RelayRefusal.Code) -> HTTPResponse.Status {
    switch code {
    case .unauthorized: .unauthorized
    case .wrongReplica: .forbidden
    case .noLedger, .notFound, .beyondHead: .notFound
    case .gap, .baseBeyondHead, .baseBelowFloor, .numberReused: .conflict
    case .trimmed: .gone
    case .overQuota, .full: .init(code: 507, reasonPhrase: "Insufficient Storage")
    case .tooLarge: .contentTooLarge
    case .tooMany: .tooManyRequests
    case .malformed, .otherVersion: .badRequest
    case .unavailable: .serviceUnavailable
    }
  }
}
