import DaybookPlatform

/// Returns random bytes from the operating system.
@Sendable package func randomBytes(_ count: Int) -> [UInt8] { systemRandomBytes(count) }
