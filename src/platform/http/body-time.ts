import type { FastifyRequest } from 'fastify';

/** How long bodies may take. */
export type BodyTimes = {
  /** Within so many milliseconds of its headers a body must be there whole. */
  bodyMs: number;
  /** A file must go on: in each such time it gains {@link leastPerSecond} for every second of it. */
  progressMs: number;
};

export const bodyTimes: BodyTimes = { bodyMs: 15_000, progressMs: 30_000 };
/** Bytes a second that an upload makes at least. */
const leastPerSecond = 8 * 1024;

/** Whether a body follows the headers of a request. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Whether the body is an upload, at an operation that takes such. */
function isUpload({ headers, routeOptions }: FastifyRequest): boolean {
  const { consumes = [] } = routeOptions.schema ?? {};
  return consumes.includes('multipart/form-data') && /^multipart\//i.test(headers['content-type'] ?? '');
}

/**
 * Has a body come in time: what was decided on the headers is not to be held open by a body that drips. A file, which may
 * take long, has to make progress instead. Calls `late` when it does not.
 */
export function watchBody(request: FastifyRequest, times: BodyTimes, late: () => void): void {
  if (!hasBody(request)) return;
  const { raw } = request;
  const upload = isUpload(request);
  let bytes = raw.socket.bytesRead;
  const timer = setInterval(
    () => {
      const gained = raw.socket.bytesRead - bytes;
      bytes += gained;
      if (!raw.complete && upload && gained >= (leastPerSecond * times.progressMs) / 1_000) return;
      clearInterval(timer);
      if (!raw.complete) late();
    },
    upload ? times.progressMs : times.bodyMs,
  );
  raw.once('end', () => clearInterval(timer));
  // An answer may come before the body has; what nobody reads is thrown away, and has to end all the same.
  raw.once('close', () => {
    if (raw.complete || raw.socket.destroyed) clearInterval(timer);
  });
}
