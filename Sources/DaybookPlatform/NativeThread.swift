/// A system thread that runs one closure.
///
/// Use it for long or blocking work, which must not occupy the cooperative threads. Call either
/// ``join()`` or ``detach()``, once.
///
/// Unchecked `Sendable`: the handle identifies the thread, and any thread may use it.
package struct NativeThread: @unchecked Sendable {
  private let handle: pthread_t

  /// Starts a thread, or returns `nil` if the system can't create one.
  ///
  /// - Parameters:
  ///   - stackByteCount: The size of the thread's stack; 0 for the system's default.
  ///   - refusal: Called with the system's error number if the thread couldn't be created.
  package init?(
    stackByteCount: Int = 0, refusal: ((Int32) -> Void)? = nil, _ body: @escaping () -> Void
  ) {
    let main = Unmanaged.passRetained(ThreadMain(run: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if stackByteCount > 0 { pthread_attr_setstacksize(&attributes, stackByteCount) }
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    let code = pthread_create(&handle, &attributes, { runThread($0) }, main.toOpaque())
    guard code == 0 else {
      main.release()
      refusal?(code)
      return nil
    }
    #if canImport(Darwin)
      guard let started = handle else { return nil }
      self.handle = started
    #else
      self.handle = handle
    #endif
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(handle, nil) }

  /// Lets the thread release its resources when it ends.
  package func detach() { pthread_detach(handle) }
}

/// A boxed closure that can be passed through C.
private final class ThreadMain {
  let run: () -> Void

  init(run: @escaping () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func runThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadMain>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#else
  private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ThreadMain>.fromOpaque(context).takeRetainedValue().run() }
    return nil
  }
#endif
