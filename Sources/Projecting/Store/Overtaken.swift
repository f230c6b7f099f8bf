/// What was being built or proven is of no use, and to be begun again.
///
/// The journal was purged meanwhile, replaced, or rid of erased text.
struct Overtaken: Error {}
