public struct Entity { public init() {} }
