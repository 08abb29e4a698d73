"""HTTP of strangers, bounded below the application: what is no body, and the time a request takes to arrive.

The parser keeps names, values and trailers until they end, and joins them anew with every packet: without a bound one
connection takes all memory and all time. A connection that says nothing is a file that nobody else can open.
"""

from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: Bytes of one request beside its body: its line, headers, trailers and the sizes of its chunks.
MOST_BESIDE = 128 * 1024
#: From its first byte, or from the connection, to its last. Bodies have a shorter time of their own.
SECONDS = 30.0


class BoundedProtocol(HttpToolsProtocol):
    """Closes what is too much or too slow. Nothing is answered: there is no request yet that an answer could be to."""

    seconds = SECONDS
    _beside = 0
    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._begins()

    def data_received(self, data: bytes) -> None:
        self._begins()
        self._beside += len(data)
        super().data_received(data)
        if self._beside > MOST_BESIDE:
            self.transport.abort()

    def on_body(self, body: bytes) -> None:
        self._beside -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._beside = 0
        self._ends()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ends()
        super().connection_lost(exc)

    def _begins(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.seconds, self.transport.abort)

    def _ends(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
