// An app imports only `Daybook`. It gets the domain (`Bookkeeping`: money, days, entities,
// commands), ids (`Entities`), and the engine's types that appear in the public signatures. Import
// `Projecting` to write projections.
@_exported public import Bookkeeping
@_exported public import Entities

@_exported public import struct Journal.Consumer
@_exported public import enum Journal.RetentionPolicy
@_exported public import struct Journal.Token
@_exported public import struct Projecting.CommitSequence
@_exported public import struct Projecting.CompactionReport
@_exported public import struct Projecting.ErasureReceipt
@_exported public import struct Projecting.HistoryFilter
@_exported public import struct Projecting.PurgeOptions
@_exported public import struct Projecting.PurgeReport
@_exported public import struct Projecting.RebuildProgress
@_exported public import struct Projecting.RebuildReport
@_exported public import struct Projecting.ValueSequence
