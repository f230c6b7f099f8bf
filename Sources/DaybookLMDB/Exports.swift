@_exported public import DaybookSpans
