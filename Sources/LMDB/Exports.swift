@_exported public import Spans
