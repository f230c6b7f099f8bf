// Goal: without pages the server says where its API is. Method: the site is asked directly.
import DaybookServer
import Pages
import Testing

@Suite struct BareSiteTests {
  @Test func saysWhereTheAPIIs() async {
    let answer = await BareSite().answer(PageRequest(path: "/"))
    #expect(String(decoding: answer.body, as: UTF8.self).contains("/v1/openapi.json"))
    #expect(await BareSite().answer(PageRequest(path: "/etc/passwd")).status == 404)
  }
}
