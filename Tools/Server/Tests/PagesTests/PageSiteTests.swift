// Goal: what a site and the server say to each other. Method: a request and an answer are made and looked at.
import Pages
import Testing

@Suite struct PageSiteTests {
  @Test func aRequestHasNothingUnlessSaid() {
    let request = PageRequest(path: "/")
    #expect(request.method == "GET" && request.query.isEmpty && request.asOf == nil)
    #expect(PageAnswer().status == 200)
  }
}
