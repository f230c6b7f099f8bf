public struct Budget { public init() {} }
