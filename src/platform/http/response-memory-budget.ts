import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairBudget } from '../fair-budget.ts';
import { problems } from '../problems.ts';
import type { App } from './app.ts';
import { senderOf } from './client-ip.ts';
import { isResponseClosed, onResponseClose } from './on-response-close.ts';

/** Answers of fewer bytes are not counted: what a system keeps of a connection takes more. */
const smallBytes = 64 * 1024;
/** A letter takes as many bytes at most. */
const bytesOfLetter = 3;
/** What those without a credential have together of all; what one team, or one address, may have of what is free there. */
const [ofVisitors, ofOne] = [1 / 3, 1 / 2];

export type AnswerRoom = {
  maxBytes: number;
  /** A connection whose reader takes nothing of a large answer for so long is closed. */
  stalledMs?: number;
};

/**
 * Bounds the memory of answers that wait for their readers: whoever asks for large ones and does not read them has a share of it and no
 * more. What was changed is answered all the same, but nothing more is changed for whoever reads no such answer.
 */
export function boundAnswers(app: App, { maxBytes, stalledMs = 30_000 }: AnswerRoom): void {
  const visitors = new FairBudget({ total: maxBytes * ofVisitors, part: ofOne });
  const teams = new FairBudget({ total: maxBytes * (1 - ofVisitors), part: ofOne });
  /** Answers that were sent though there was no room for them, by who asked: colleagues of theirs change what they like. */
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
    // Without a listener the server closes the connection then; a next request on it begins without. One that is made within the process has none.
    if ('setTimeout' in request.raw.socket) request.raw.socket.setTimeout(stalledMs);
    return done(null, payload);
  });
}

/** Who asks: a person with all sessions of theirs, a program, or an address. */
const askerOf = (request: FastifyRequest): string =>
  request.principal ? `${request.principal.actor.type} ${request.principal.actor.id}` : senderOf(request);

/** The bytes of an answer that is in memory whole. */
function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length * bytesOfLetter > smallBytes ? Buffer.byteLength(payload) : payload.length;
  return Buffer.isBuffer(payload) ? payload.length : 0;
}

function tooMuchUnread() {
  return problems.rate_limited(
    'Large answers, to you or to all, wait to be read and take as much memory as they may. Read those first, then ask again, and for smaller pages.',
    { headers: { 'retry-after': '2' } },
  );
}
