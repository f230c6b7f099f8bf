import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests, and follows no redirect: a device's token is for the address that a person gave, and for nobody to
/// whom something there sends it on.
///
/// On Linux only the delegate of a session is asked about that, not one of a request.
final class DirectSession: Sendable {
  private let answers = Answers()
  private let session: URLSession

  /// Sends requests.
  ///
  /// - Parameter seconds: How long nothing may be heard.
  init(seconds: Double) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = seconds
    session = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
  }

  // Until then it keeps its delegate.
  deinit { session.finishTasksAndInvalidate() }

  /// What is answered to a request; of a redirect the redirect.
  ///
  /// - Throws: `URLError`, `CancellationError`.
  func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answers.wait(for: task, continuation)
        task.resume()
        // One that was cancelled before it was waited for says so to nobody.
        if Task.isCancelled { answers.give(task, .failure(CancellationError())) }
      }
    } onCancel: {
      task.cancel()
    }
  }
}

/// What comes back, for those who wait.
private final class Answers: NSObject, URLSessionDataDelegate, Sendable {
  typealias Continuation = CheckedContinuation<(Data, URLResponse), any Error>

  private struct Waiting {
    let continuation: Continuation
    var data = Data()
  }

  private let waiting = Mutex<[Int: Waiting]>([:])

  func wait(for task: URLSessionTask, _ continuation: Continuation) {
    waiting.withLock { $0[task.taskIdentifier] = Waiting(continuation: continuation) }
  }

  /// Gives whoever waits an answer, once: the data that came, with a response, or why there is none.
  func give(_ task: URLSessionTask, _ answer: Result<URLResponse, any Error>) {
    guard let one = waiting.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
      return
    }
    one.continuation.resume(with: answer.map { (one.data, $0) })
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    waiting.withLock { $0[dataTask.taskIdentifier]?.data.append(data) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let response = task.response, error == nil {
      give(task, .success(response))
    } else {
      give(task, .failure(error ?? URLError(.badServerResponse)))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
