/// Returns a text that is different each time the system is started, or `nil` if the system doesn't
/// reveal one.
///
/// On Apple platforms, a sandbox may refuse it; on Linux, `/proc` may be missing.
package func systemBootIdentity() -> String? {
  var buffer = [UInt8](repeating: 0, count: 64)
  #if canImport(Darwin)
    var count = buffer.count
    guard sysctlbyname("kern.bootsessionuuid", &buffer, &count, nil, 0) == 0 else { return nil }
  #else
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
  #endif
  let text = String(decoding: buffer.prefix(count), as: UTF8.self)
  let identity = text.filter { $0.isHexDigit || $0 == "-" }
  return identity.isEmpty ? nil : identity
}
