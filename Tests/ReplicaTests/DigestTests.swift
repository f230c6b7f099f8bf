// Goal: the digest is the function that `Docs/Sync.md` gives. Method: its test vectors, which were computed by another
// program (SHA-256 and ChaCha20 in Python). That it follows the log, ReplicaTests compares at each step.

import Entities
import Merging
import Replicas
import Testing

@Suite struct DigestTests {
  private let vectors = [
    "1561a7dfec7f280480edee567e19c9e8cbfa1f7eda48cbcf86d01af5f169493d",
    "5546ac4093b17700424c640561f5950276d8507ca46714ac590abd7bbfdf6a70",
  ]

  @Test func itIsAsDocumented() {
    var folded = Folded()
    (folded.head, folded.received, folded.floor) = (2, 5, 1)
    #expect(hexText(folded.digest) == vectors[0])
    folded.replicas[ReplicaID(rawValue: 9)] = ReplicaProgress(last: 2)
    #expect(hexText(folded.digest) == vectors[1])
  }
}
