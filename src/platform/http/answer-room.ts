import { fairRoom } from '../fair-room.ts';
import { problems } from '../problems.ts';
import type { App } from './app.ts';
import { addressBlock, clientIp } from './client-ip.ts';
import { isOver, whenOver } from './when-over.ts';

/** Answers of fewer bytes are not counted: what a system keeps of a connection takes more. */
const smallBytes = 64 * 1024;
/** What one team, or one address without a credential, may have of what is free. */
const ofOne = 1 / 2;

export type AnswerRoom = {
  bytesAtOnce: number;
  /** A connection whose reader takes nothing of a large answer for so long is closed. */
  stalledMs?: number;
};

/**
 * Bounds the memory of answers that wait for their readers: whoever asks for large ones and does not read them has a share of it and no
 * more. What was changed is answered all the same.
 */
export function boundAnswers(app: App, { bytesAtOnce, stalledMs = 30_000 }: AnswerRoom): void {
  const room = fairRoom({ all: bytesAtOnce, part: ofOne });
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (bytes <= smallBytes || request.method === 'HEAD' || isOver(reply)) return done(null, payload);
    const back = room.take(request.principal?.team ?? addressBlock(clientIp(request)), bytes);
    if (!back && request.method === 'GET') {
      for (const header of ['etag', 'link', 'last-modified', 'content-length', 'content-disposition']) reply.removeHeader(header);
      return done(tooMuchUnread());
    }
    if (back) whenOver(reply, back);
    // Without a listener the server closes the connection then; a next request on it begins without. One that is made within the process has none.
    if ('setTimeout' in request.raw.socket) request.raw.socket.setTimeout(stalledMs);
    return done(null, payload);
  });
}

function tooMuchUnread() {
  return problems.rate_limited(
    'Large answers, to you or to all, wait to be read and take as much memory as they may. Read those first, then ask again, and for smaller pages.',
    { headers: { 'retry-after': '2' } },
  );
}
