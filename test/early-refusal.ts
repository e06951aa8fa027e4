/** Codes of the errors of a connection that the service closed before it had read the whole body. */
const closed = new Set(['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET']);

/** Returns the status of a request whose body can be too large: 413 as well if the service closed the connection. Other errors reject. */
export function statusOrClosed(request: Promise<{ status: number }>): Promise<number> {
  return request.then(
    ({ status }) => status,
    (error: { code?: string; cause?: { code?: string } }) => {
      if (closed.has(error.code ?? error.cause?.code ?? '')) return 413;
      throw error;
    },
  );
}
