/// Returns a random incarnation for a log.
///
/// It is below 2^53, so that JSON numbers represent it exactly in every language.
package func newIncarnation() -> UInt64 { .random(in: 1...(1 << 53) - 1) }
