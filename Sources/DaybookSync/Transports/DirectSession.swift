import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests without following redirects, because a device's token is meant only for the
/// address that a person entered.
///
/// On Linux, `URLSession` consults only the session's delegate about redirects, never a task's
/// delegate.
final class DirectSession: Sendable {
  private let answers = Answers()
  private let session: URLSession

  /// Creates a session.
  ///
  /// - Parameter seconds: How long a request waits for data before it times out.
  init(seconds: Double) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = seconds
    session = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
  }

  // A `URLSession` retains its delegate until the session is invalidated.
  deinit { session.finishTasksAndInvalidate() }

  /// Sends a request and returns the response.
  ///
  /// A redirect is returned unchanged.
  ///
  /// - Throws: `URLError`, `CancellationError`.
  func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answers.wait(for: task, continuation)
        task.resume()
        // If the task was cancelled before its continuation was registered, the cancellation had no
        // continuation to resume.
        if Task.isCancelled { answers.give(task, .failure(CancellationError())) }
      }
    } onCancel: {
      task.cancel()
    }
  }
}

/// Delivers responses to waiting requests.
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

  /// Resumes the waiting request of a task, at most once, with the received data and the response
  /// or with an error.
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
