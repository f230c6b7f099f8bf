import HTTPTypes
import Hummingbird
import Logging
import SyncWire

/// Answers what was thrown as a refusal that a device understands.
struct RefusalMiddleware: RouterMiddleware {
  let metrics: RelayMetrics

  @concurrent func handle(
    _ request: Request, context: BasicRequestContext,
    next: @concurrent (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    metrics.count(.requests)
    do {
      return try await next(request, context)
    } catch let refusal as RelayRefusal where refusal.code == .unavailable {
      // Why, and where the database is, is for whoever runs it.
      context.logger.error("\(refusal.message)")
      return try refused(unavailable(retryAfter: refusal.retryAfter))
    } catch let refusal as RelayRefusal {
      return try refused(refusal)
    } catch let error as WireError {
      let code: RelayRefusal.Code =
        switch error.code {
        case .unknownVersion: .otherVersion
        case .tooLarge: .tooLarge
        default: .malformed
        }
      return try refused(RelayRefusal(code, error.description))
    } catch let error as HTTPError where error.status == .notFound {
      return try refused(RelayRefusal(.notFound, "There is nothing at \(request.uri.path)."))
    } catch {
      context.logger.error("\(error)")
      return try refused(unavailable(retryAfter: 5))
    }
  }

  private func unavailable(retryAfter: Int?) -> RelayRefusal {
    RelayRefusal(.unavailable, "The relay cannot answer now: try again.", retryAfter: retryAfter)
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
