// LMDB's header brings the system's types of threads along.
internal import CLMDB

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread of the system that does one thing, for work that waits or computes for long and must not hold up the
/// cooperative threads.
///
/// Either ``join()`` or ``detach()`` is to be called, once.
///
/// Unchecked `Sendable`: the handle is a name for the thread, which any thread may use.
package struct NativeThread: @unchecked Sendable {
  private let handle: pthread_t

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - stackByteCount: How large its stack is; 0 for what the system gives.
  ///   - refusal: Gets the system's error number where there is no thread to be had.
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

  /// Waits until it has ended.
  package func join() { pthread_join(handle, nil) }

  /// Lets it end by itself.
  package func detach() { pthread_detach(handle) }
}

/// What a thread does, boxed so that C can carry it.
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
