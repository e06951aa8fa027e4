import type { FastifyRequest } from 'fastify';

/** Time limits of request bodies. */
export type BodyTimes = {
  /** Maximum time in milliseconds from the headers to the complete body. */
  bodyMs: number;
  /** Interval in milliseconds in which the progress of an upload is checked: at least {@link leastPerSecond} for each second. */
  progressMs: number;
};

export const bodyTimes: BodyTimes = { bodyMs: 15_000, progressMs: 30_000 };
/** Minimum rate of an upload in bytes per second. */
const leastPerSecond = 8 * 1024;

/** Returns whether the request has a body. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Returns whether the body is an upload and the operation accepts uploads. */
function isUpload({ headers, routeOptions }: FastifyRequest): boolean {
  const { consumes = [] } = routeOptions.schema ?? {};
  return consumes.includes('multipart/form-data') && /^multipart\//i.test(headers['content-type'] ?? '');
}

/**
 * Limits the time of a body, because the decision that was based on the headers, such as authentication, must not become outdated. An upload may take
 * longer but must make progress. Calls `late` on a violation.
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
  // A response can be sent before the body is complete. The rest of the body is discarded but still limited.
  raw.once('close', () => {
    if (raw.complete || raw.socket.destroyed) clearInterval(timer);
  });
}
