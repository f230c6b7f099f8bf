/// A number that no other life of a log has: as large as JSON of every language can say.
package func newIncarnation() -> UInt64 { .random(in: 1...(1 << 53) - 1) }
