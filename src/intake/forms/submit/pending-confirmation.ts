import { uploadsIn, resolveText, localesOf } from '#fields';
import { issuingTeam } from '#teams';
import { isToken, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { requireProof } from '../../../platform/http/proof-of-work.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { clearUndeliverable } from '../../../platform/mail/undeliverable-queries.ts';
import { queueVisitorMail } from '../../../platform/mail/visitors.ts';
import { problems } from '../../../platform/problems.ts';
import { timeInWords } from '../../../platform/time-in-words.ts';
import { addressIn, confirmMail } from '../mails/index.ts';
import { withDefaults } from '../present.ts';
import { requireOpen } from '../visitor.ts';
import { books } from './booking.ts';
import type { Submitting } from './context.ts';
import { effectsOf } from './effects.ts';
import { submissionUnconfirmed } from './events.ts';
import { submissionProblems } from './problems.ts';
import { proofOptions } from './proofs.ts';
import * as queries from './queries.ts';
import { type StoredSubmission, keepSubmission, receive } from './receive.ts';
import type { Submitted, Visit } from './visit.ts';
import { keepSession, newSession } from './sessions.ts';

/** The time within which the sender must open the mailed link of a submission. */
const waitMs = 24 * 3_600_000;
/** The maximum number of unconfirmed submissions of one form. Further submissions need a proof of work. */
const maxUnconfirmed = 200;

/**
 * Stores a submission without a proof of work until its sender opens a mailed link. Before that, no effects run. Without confirmation it is deleted
 * after a day. The proof of work is still required for answers without an address, answers with files, booking forms, and too many waiting
 * submissions. Throws 400 `altcha_required`, 429.
 */
export async function storeUntilConfirmed(context: Submitting, visit: Visit, kept: StoredSubmission, link: string): Promise<void> {
  const { scope, visited } = visit;
  const { team, now } = scope;
  const { definition } = kept.answered;
  const to = addressIn(definition, kept.values);
  const files = uploadsIn(definition.fields, kept.values).length > 0;
  const waiting = await scope.db.first(queries.countUnconfirmed, {
    team,
    interface: visited.id,
    since: new Date(now.getTime() - waitMs),
    most: maxUnconfirmed,
  });
  if (to === undefined || files || books(visited) || (waiting?.unconfirmed ?? 0) >= maxUnconfirmed) {
    await requireProof(undefined, proofOptions(context, visited, now));
    return;
  }
  const token = newToken();
  const until = new Date(now.getTime() + waitMs);
  keepSubmission(visit, { ...kept, status: 'held' }, null, { hash: tokenHash(token), until });
  const issuer = await scope.db.first(issuingTeam, { team });
  const [first] = localesOf(definition);
  const by = timeInWords(until, kept.locale, issuer?.time_zone ?? 'UTC');
  const said = { title: resolveText(definition.title, kept.locale, first), by: issuer?.name ?? '', until: by };
  const url = `${context.baseUrl}/f/${link}/confirm/${token}`;
  const mail = await queueVisitorMail(scope.db, team, { to, about: kept.id, ...confirmMail(kept.locale, { ...said, url }) });
  if (mail === 'skipped')
    throw problems.rate_limited(
      'This email address has reached its hourly limit of mails. Keep your answers, and send them again in an hour.',
      {
        headers: { 'retry-after': '3600' },
      },
    );
  await recordAudit(scope, submissionUnconfirmed, kept.id, { interfaceId: visited.id, version: kept.answered.number });
}

/**
 * Confirms an unconfirmed submission through the secret of its mailed link, and runs its effects. Works once. Uses the form version
 * that was submitted. Throws 404 `submission_not_pending`, 409 `interface_full`, 410.
 */
export async function confirmSubmission(context: Submitting, visit: Visit, secret: string): Promise<Submitted> {
  const { scope, visited } = visit;
  const { team, now: at } = scope;
  requireOpen(visited, at);
  const begun = newSession();
  const unconfirmed = isToken(secret)
    ? await scope.db.first(queries.takeUnconfirmed, { team, interface: visited.id, hash: tokenHash(secret), session: begun.id, at })
    : undefined;
  if (!unconfirmed)
    throw submissionProblems.submission_not_pending(
      'This link was already used, or it expired after a day. If you did not use it, fill in the form again.',
    );
  const answered = await scope.db.first(queries.answeredVersion, { team, interface: visited.id, number: unconfirmed.version });
  if (!answered) throw new Error('the form version of the submission no longer exists');
  keepSession(scope, visited, begun);
  const address = addressIn(answered.definition, unconfirmed.data);
  if (address !== undefined) scope.db.send(clearUndeliverable, { team, address, at });
  const kinds = effectsOf(answered.definition);
  await receive(context, visit, { id: unconfirmed.id, answered, values: unconfirmed.data, kinds });
  const { allowPdf } = withDefaults(answered.definition).publicSettings;
  return { submissionId: unconfirmed.id, hasSession: kinds.includes('document') && allowPdf, message: '', token: begun.token };
}
