import { randomUUIDv7 } from 'node:crypto';
import { equalInConstantTime, hmac, newCode, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { requireLiveLink, requireStillOpen } from './admission.ts';
import type { Requests } from './context.ts';
import { seenBy, titleOf } from './documents.ts';
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

/** Requires a live request that needs codes. Throws 403 `sign_in_required`, 409 `code_not_required` or 410. */
export function requireCodes(visit: Visit): void {
  requireLiveLink(visit);
  if (!visit.request.require_code) throw signingProblems.code_not_required('This request does not need a code. Continue without one.');
}

type CodeResult = { sent: { success: true; maskedEmail: string; expiresInSeconds: number } } | { locked: Date };

/**
 * Sends a code by email, at most five a day. After that, notifies the requester once and returns `locked` instead of throwing, so that the
 * notification is committed. Sends no code to an excluded visitor, because the email contains the title of the document. Throws 403
 * `sign_in_required`, 409 `code_not_required`, `request_suspended`, or 410 `signing_closed`.
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
    ...codeMail(signer.locale, { title: titleOf(seenBy(request.documents, signer.id)), code }),
    to: signer.email,
    team,
    budgeted: true,
    about: signer.id,
  });
  return { sent: { success: true, maskedEmail: masked(signer.email), expiresInSeconds: goodMs / 1_000 } };
}

/** Invalidates the current code and notifies the requester. */
async function notifyCodesLocked({ scope, request, signer }: Visit, since: Date): Promise<void> {
  const { db, team, now } = scope;
  // The count above the maximum records that the requester was notified.
  db.send(queries.setCode, { team, id: signer.id, hash: Buffer.alloc(32), expires: now, sent: maxInDay + 1, since });
  await recordAudit(scope, codesLocked, request.id, { signerId: signer.id });
  const requester = await recipientInside(scope, request, request.requested_by);
  if (!requester) return;
  const mail = codesLockedMail(requester.locale, request.id, { what: request.title, name: signer.name });
  await queueMail(db, { ...mail, to: requester.email, team, budgeted: true, lowPriority: true });
}

/** Returns the error for a signer who used all codes of a day. */
export function locked(until: Date, now: Date): Error {
  const wait = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  return signingProblems.code_locked('You requested five codes within a day. The requester was notified. Try again tomorrow.', {
    headers: { 'retry-after': String(wait) },
  });
}

/**
 * Checks a code. A correct code works once and starts a session of 30 minutes. Returns undefined for a wrong code instead of throwing, so that the
 * count of the attempt is committed. Throws 403, 409 `code_not_required` or 410.
 */
export async function checkCode({ codeKey }: Pick<Requests, 'codeKey'>, visit: Visit, code: string): Promise<string | undefined> {
  requireCodes(visit);
  const { scope, request, signer } = visit;
  const { team, now } = scope;
  // Attempts that cannot succeed are not counted. Otherwise a stranger with the link could cause unlimited writes.
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
  signingProblems.code_wrong('The code is wrong, used or older than ten minutes, or was tried five times. Request another code.', {
    errors: [{ name: 'code', pointer: '/code', reason: 'is not the code of the newest email', rule: 'code' }],
  });
