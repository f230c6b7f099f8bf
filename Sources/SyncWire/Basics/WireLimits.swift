/// How large things of the exchange may be; every decoder refuses more before it makes room for it.
public enum WireLimits {
  /// The version of the wire, the first byte of everything.
  public static let version: UInt8 = 1
  /// Bytes of a sealed entry: 1 MiB.
  public static let entryByteCountMax = 1 << 20
  /// Bytes of what an entry holds before it is padded and sealed: 960 KiB.
  public static let contentByteCountMax = 960 << 10
  /// Bytes of a page: 4 MiB.
  public static let pageByteCountMax = 4 << 20
  /// Entries of a page.
  public static let pageEntryCountMax = 65_536
  /// Bytes of a commit, all its parts together: 256 MiB.
  ///
  /// A reader holds them in memory.
  public static let commitByteCountMax = 256 << 20
  /// Parts of a commit: what 256 MiB need.
  public static let partCountMax = 274
  /// Changes of a commit.
  public static let changeCountMax = 1 << 21
  /// Bytes of a record: 16 MiB, more than any journal takes.
  public static let recordByteCountMax = 16 << 20
  /// Devices of a ledger.
  public static let deviceCountMax = 1_000
  /// Keys of a ring: epochs whose entries somebody may still have to read.
  public static let keyCountMax = 4_096
  /// Chunks of a snapshot.
  public static let chunkCountMax = 16_384
  /// UTF-8 bytes of a device's name.
  public static let nameByteCountMax = 200
  /// UTF-8 bytes of an address or a token.
  public static let addressByteCountMax = 2_000
  /// For how long a pairing code is good, in seconds.
  public static let pairingSeconds = 600
}
