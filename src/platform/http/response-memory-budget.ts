import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairBudget } from '../fair-budget.ts';
import { problems } from '../problems.ts';
import type { App } from './app.ts';
import { senderOf } from './client-ip.ts';
import { isResponseClosed, onResponseClose } from './on-response-close.ts';

/** Maximum size in bytes of a response that is not counted, because even a connection uses more memory. */
const smallBytes = 64 * 1024;
/** The maximum number of bytes per UTF-16 unit. */
const bytesOfLetter = 3;
/** The share of unauthenticated callers in the total; the part of the free amount for one team or IP address. */
const [ofVisitors, ofOne] = [1 / 3, 1 / 2];

export type AnswerRoom = {
  maxBytes: number;
  /** Milliseconds after which a connection is closed if the client reads nothing of a large response. */
  stalledMs?: number;
};

/**
 * Limits the memory of responses that wait for slow readers. A client that requests large responses without reading them gets a limited share. The
 * response of a completed change is always sent, but the caller cannot make another change before reading it.
 */
export function boundAnswers(app: App, { maxBytes, stalledMs = 30_000 }: AnswerRoom): void {
  const visitors = new FairBudget({ total: maxBytes * ofVisitors, part: ofOne });
  const teams = new FairBudget({ total: maxBytes * (1 - ofVisitors), part: ofOne });
  /** Number of responses above the limit, by caller, so that other members of the team can still make changes. */
  const beyond = new Map<string, number>();

  function sendBeyond(asker: string, reply: FastifyReply): void {
    beyond.set(asker, (beyond.get(asker) ?? 0) + 1);
    onResponseClose(reply, () => {
      const left = (beyond.get(asker) ?? 1) - 1;
      if (left > 0) beyond.set(asker, left);
      else beyond.delete(asker);
    });
  }

  app.addHook('preHandler', (request, _reply, done) =>
    request.method !== 'GET' && request.method !== 'HEAD' && beyond.has(askerOf(request)) ? done(tooMuchUnread()) : done(),
  );
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bytesOf(payload);
    if (bytes <= smallBytes || request.method === 'HEAD' || isResponseClosed(reply)) return done(null, payload);
    const back = (request.principal?.team === undefined ? visitors : teams).take(senderOf(request), bytes);
    if (!back && request.method === 'GET') return done(tooMuchUnread());
    if (back) onResponseClose(reply, back);
    else sendBeyond(askerOf(request), reply);
    // Without a timeout listener the server closes the connection at the timeout. The next request on it starts without a timeout. Requests within
    // the process have no socket.
    if ('setTimeout' in request.raw.socket) request.raw.socket.setTimeout(stalledMs);
    return done(null, payload);
  });
}

/** Returns the caller: a user across sessions, a client, or an IP address. */
const askerOf = (request: FastifyRequest): string =>
  request.principal ? `${request.principal.actor.type} ${request.principal.actor.id}` : senderOf(request);

/** Returns the number of bytes of a response in memory. */
function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length * bytesOfLetter > smallBytes ? Buffer.byteLength(payload) : payload.length;
  return Buffer.isBuffer(payload) ? payload.length : 0;
}

function tooMuchUnread() {
  return problems.rate_limited(
    'Large responses that you or other users have not read yet use the maximum amount of memory. Read them first, then send the request again with smaller pages.',
    { headers: { 'retry-after': '2' } },
  );
}
