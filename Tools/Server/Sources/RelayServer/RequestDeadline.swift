import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection if a request isn't received, or its response isn't sent, within a time
/// limit.
///
/// The idle timeout closes connections without traffic and connections with unfinished headers. It
/// can't detect a client that sends its body one byte at a time, because such a connection is never
/// idle.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let time: TimeAmount
  private var reading: Scheduled<Void>?
  private var writing: Scheduled<Void>?

  init(_ time: TimeAmount) { self.time = time }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: reading = closing(context)
    case .body: break
    case .end: reading?.cancel()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    var promise = promise
    switch unwrapOutboundIn(data) {
    case .head: writing = closing(context)
    case .body: break
    case .end:
      let isWritten = promise ?? context.eventLoop.makePromise()
      let writing = writing
      isWritten.futureResult.whenComplete { _ in writing?.cancel() }
      promise = isWritten
    }
    context.write(data, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    reading?.cancel()
    writing?.cancel()
  }

  private func closing(_ context: ChannelHandlerContext) -> Scheduled<Void> {
    context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
  }
}
