// Goal: the digest is the function that `Docs/Sync.md` gives. Method: its test vectors, which were computed by another
// program (SHA-256 and ChaCha20 in Python). That it follows the log, ReplicaTests compares at each step.

import DaybookEntities
import DaybookMerging
import DaybookReplicas
import Testing

@Suite struct DigestTests {
  private let vectors = [
    "5d2adff6865db8df0cb0e87e82d97f916985047eca0369db32e38b700d3ea82c",
    "6bc0abcb02ede4985b323aff8e795756047eb0ab1d3faf574ef91bd8e6801100",
  ]

  @Test func itIsAsDocumented() {
    var folded = Folded()
    (folded.head, folded.received, folded.floor) = (2, 5, 1)
    #expect(hexText(folded.digest) == vectors[0])
    folded.replicas[ReplicaID(rawValue: 9)] = ReplicaProgress(last: 2)
    #expect(hexText(folded.digest) == vectors[1])
  }
}
