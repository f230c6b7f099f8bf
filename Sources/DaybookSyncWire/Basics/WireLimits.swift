/// The size limits of the sync protocol; every decoder checks them before it allocates memory.
public enum WireLimits {
  /// The protocol version, which is the first byte of every encoded value.
  public static let version: UInt8 = 1
  /// The maximum size of a sealed entry in bytes: 1 MiB.
  public static let entryByteCountMax = 1 << 20
  /// The maximum size of an entry's content, before it is padded and sealed, in bytes: 960 KiB.
  public static let contentByteCountMax = 960 << 10
  /// The maximum size of a page in bytes: 4 MiB.
  public static let pageByteCountMax = 4 << 20
  /// The maximum number of entries in a page.
  public static let pageEntryCountMax = 65_536
  /// The maximum size of a commit with all its parts, in bytes: 256 MiB.
  ///
  /// A reader holds all parts in memory.
  public static let commitByteCountMax = 256 << 20
  /// The maximum number of parts of a commit, enough for 256 MiB.
  public static let partCountMax = 274
  /// The maximum number of changes in a commit.
  public static let changeCountMax = 1 << 21
  /// The maximum size of a record in bytes: 16 MiB, more than any journal accepts.
  public static let recordByteCountMax = 16 << 20
  /// The maximum number of a ledger's devices.
  public static let deviceCountMax = 1_000
  /// The maximum number of keys in a key ring, which has one key for each epoch whose entries may
  /// still be needed.
  public static let keyCountMax = 4_096
  /// The maximum number of chunks in a snapshot.
  public static let chunkCountMax = 16_384
  /// The maximum size of a device's name in UTF-8 bytes.
  public static let nameByteCountMax = 200
  /// The maximum size of an address or a token in UTF-8 bytes.
  public static let addressByteCountMax = 2_000
  /// The lifetime of a pairing code in seconds.
  public static let pairingSeconds = 600
}
