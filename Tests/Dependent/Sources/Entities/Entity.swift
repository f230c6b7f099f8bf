package struct Entity { package init() {} }
