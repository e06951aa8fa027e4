import { randomUUIDv7 } from 'node:crypto';
import { equalInConstantTime, hmac, newCode, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { requireLiveLink, requireStillOpen } from './admission.ts';
import type { Requests } from './context.ts';
import { codeSent, codesLocked, codeTried } from './events.ts';
import { masked } from './mask-email.ts';
import { signingProblems } from './problems.ts';
import { recipientInside } from './permission.ts';
import * as queries from './signer-queries.ts';
import { codeMail } from './signer-texts.ts';
import { sessionEnd, type Visit } from './visit.ts';
import { codesLockedMail } from './request-texts.ts';

const goodMs = 10 * 60_000;
const dayMs = 86_400_000;
const maxTries = 5;
const maxInDay = 5;

/** Whether this request asks for codes at all, and goes on. Errors: 403 `sign_in_required`, 409 `code_not_required`, 410. */
export function requireCodes(visit: Visit): void {
  requireLiveLink(visit);
  if (!visit.request.require_code) throw signingProblems.code_not_required('This request opens by its link alone: go on without a code.');
}

type CodeResult = { sent: { success: true; maskedEmail: string; expiresInSeconds: number } } | { locked: Date };

/**
 * Mails a code, five a day at most; then whoever asked is told, once. Where there are no more, that is answered and not thrown: that it was told
 * of is kept. To whom the document is not open none is mailed: the mail names it. Errors: 403 `sign_in_required`, 409 `code_not_required`,
 * `request_suspended`, 410 `signing_closed`.
 */
export async function sendCode({ codeKey }: Pick<Requests, 'codeKey'>, visit: Visit): Promise<CodeResult> {
  requireCodes(visit);
  await requireStillOpen(visit);
  const { scope, request, signer } = visit;
  const { team, now } = scope;
  const began = signer.codes_since === null ? undefined : new Date(signer.codes_since);
  const today = began !== undefined && now.getTime() - began.getTime() < dayMs;
  if (today && signer.codes_sent >= maxInDay) {
    if (signer.codes_sent === maxInDay) await notifyCodesLocked(visit, began);
    return { locked: new Date(began.getTime() + dayMs) };
  }
  const code = newCode(6);
  const since = today ? began : now;
  const sent = today ? signer.codes_sent + 1 : 1;
  const hash = hmac(codeKey, signer.id, code);
  scope.db.send(queries.setCode, { team, id: signer.id, hash, expires: new Date(now.getTime() + goodMs), sent, since });
  await recordAudit(scope, codeSent, request.id, { signerId: signer.id });
  await queueMail(scope.db, {
    ...codeMail(request.locale, { title: request.title, code }),
    to: signer.email,
    team,
    budgeted: true,
    about: signer.id,
  });
  return { sent: { success: true, maskedEmail: masked(signer.email), expiresInSeconds: goodMs / 1_000 } };
}

/** No code is good any more, and whoever asked hears of it. */
async function notifyCodesLocked({ scope, request, signer }: Visit, since: Date): Promise<void> {
  const { db, team, now } = scope;
  // One more than are sent says that it was told of.
  db.send(queries.setCode, { team, id: signer.id, hash: Buffer.alloc(32), expires: now, sent: maxInDay + 1, since });
  await recordAudit(scope, codesLocked, request.id, { signerId: signer.id });
  const requester = await recipientInside(scope, request, request.requested_by);
  if (!requester) return;
  const mail = codesLockedMail(requester.locale, { what: request.title, name: signer.name });
  await queueMail(db, { ...mail, to: requester.email, team, budgeted: true, lowPriority: true });
}

/** What is answered where a signer has had all codes of a day. */
export function locked(until: Date, now: Date): Error {
  const wait = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  return signingProblems.code_locked('Five codes were sent to you within a day. Whoever asked you to sign was told; try again tomorrow.', {
    headers: { 'retry-after': String(wait) },
  });
}

/**
 * Tries a code: a right one, once, begins a session for half an hour. Nothing where it is wrong: that a try was made is kept. Errors: 403, 409
 * `code_not_required`, 410.
 */
export async function checkCode({ codeKey }: Pick<Requests, 'codeKey'>, visit: Visit, code: string): Promise<string | undefined> {
  requireCodes(visit);
  const { scope, request, signer } = visit;
  const { team, now } = scope;
  // What can be no right one is not counted either: a stranger with the link would write without an end.
  if (signer.code_hash === null || signer.code_tries >= maxTries || Date.parse(signer.code_expires_at ?? '') <= now.getTime())
    return undefined;
  const right = equalInConstantTime(signer.code_hash, hmac(codeKey, signer.id, code));
  await recordAudit(scope, codeTried, request.id, { signerId: signer.id, right });
  if (!right) {
    scope.db.send(queries.countCodeTry, { team, id: signer.id });
    return undefined;
  }
  scope.db.send(queries.useCode, { team, id: signer.id });
  const token = newToken();
  scope.db.send(queries.insertSession, { team, id: randomUUIDv7(), signer: signer.id, hash: tokenHash(token), expires: sessionEnd(now) });
  return token;
}

export const wrongCode = () =>
  signingProblems.code_wrong('The code is not right, was used, is older than ten minutes or was tried too often. Ask for another one.', {
    errors: [{ name: 'code', pointer: '/code', reason: 'is not the one of the newest mail', rule: 'code' }],
  });
