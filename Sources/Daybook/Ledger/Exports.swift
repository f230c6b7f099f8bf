// An app needs to import only `Daybook`. The import includes the domain (`DaybookBookkeeping`:
// money, days, entities, commands), ids (`DaybookEntities`), and the engine's types in public
// signatures. To write projections, also import `DaybookEngine`.
@_exported public import DaybookBookkeeping
@_exported public import DaybookEntities

@_exported public import struct DaybookEngine.CommitSequence
@_exported public import struct DaybookEngine.CompactionReport
@_exported public import struct DaybookEngine.ErasureReceipt
@_exported public import struct DaybookEngine.HistoryFilter
@_exported public import struct DaybookEngine.MissingCommits
@_exported public import struct DaybookEngine.PurgeOptions
@_exported public import struct DaybookEngine.PurgeReport
@_exported public import struct DaybookEngine.RebuildProgress
@_exported public import struct DaybookEngine.RebuildReport
@_exported public import enum DaybookEngine.SuspendedCalls
@_exported public import struct DaybookEngine.ValueSequence
@_exported public import struct DaybookJournal.Consumer
@_exported public import enum DaybookJournal.RetentionPolicy
@_exported public import struct DaybookJournal.Token
