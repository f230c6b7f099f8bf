import NIOCore

/// Begins to read a connection by small buffers, which grow where much comes.
///
/// A connection keeps its last ones for the next request; of thousands that wait in a ring, these would be a good part of
/// the memory.
final class SmallBuffers: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) {
    let sizes = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536)
    // Where it cannot be set, nothing is lost but memory.
    try? context.channel.syncOptions?.setOption(.recvAllocator, value: sizes)
  }
}
