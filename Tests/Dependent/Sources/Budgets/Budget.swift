package struct Budget { package init() {} }
