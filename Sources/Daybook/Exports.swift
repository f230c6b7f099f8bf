/// Daybook's face re-exports what appears in its signatures, so that an app imports `Daybook` alone:
/// the domain (`Bookkeeping`), ids (`Entities`), tokens (`Journal`) and, for projections of its
/// own, `Projecting`.
@_exported public import Bookkeeping
@_exported public import Entities
@_exported public import Journal
@_exported public import Projecting
