import NIOCore

/// Makes a connection start with small receive buffers, which then grow with the amount of data.
///
/// A connection keeps its last buffers for the next request. With thousands of connections in long
/// polls, larger buffers would take up much of the memory.
final class SmallBuffers: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) {
    let sizes = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536)
    // If the option can't be set, the connection only uses more memory.
    try? context.channel.syncOptions?.setOption(.recvAllocator, value: sizes)
  }
}
