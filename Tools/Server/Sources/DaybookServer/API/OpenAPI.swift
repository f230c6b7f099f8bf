enum OpenAPI { static let text = "{}" }
