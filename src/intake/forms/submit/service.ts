import { randomUUIDv7 } from 'node:crypto';
import { chooseLocale, localesOf, messageOf, developerMessageOf, resolveText, uploadsIn } from '#fields';
import { requireProof } from '../../../platform/http/proof-of-work.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { withDefaults } from '../present.ts';
import { requireOpen } from '../visitor.ts';
import { honeypot, takeAnswers, unknownAnswers } from './answers.ts';
import { books, timeMembers, wishOf } from './booking.ts';
import type { Submitting } from './context.ts';
import { effectsOf } from './effects.ts';
import { submissionCaught } from './events.ts';
import { nameRecords } from './records.ts';
import { storeUntilConfirmed } from './pending-confirmation.ts';
import { submissionProblems } from './problems.ts';
import * as queries from './queries.ts';
import { type StoredSubmission, keepSubmission, receive } from './receive.ts';
import { proofOptions, spendProof } from './proofs.ts';
import { extendSession, keepSession, newSession } from './sessions.ts';
import { claimUploads } from './uploads.ts';
import { thanks } from './texts.ts';
import { answeredVersion } from './versions.ts';
import type { Submitted, Visit } from './visit.ts';

export type Submission = {
  data: Record<string, unknown>;
  version?: number | undefined;
  altcha?: unknown;
  locale?: string | undefined;
  accepted?: string | undefined;
  /**
   * Set by a page without scripts, which cannot compute a proof of work. The submission then waits until the sender opens a mailed link, which leads
   * back to this link of the form.
   */
  holds?: { link: string } | undefined;
};

/**
 * Stores answers and runs their effects in one transaction. A rejected effect is stored as failed, and the submission still succeeds.
 * Throws 400 `altcha_…`, 404, 409 `interface_full`, `version_superseded`, 410, 413, 422 `submission_invalid`.
 */
export async function submit(context: Submitting, visit: Visit, input: Submission): Promise<Submitted> {
  const { scope, visited, channel } = visit;
  requireOpen(visited, scope.now);
  const answered = await answeredVersion(scope, visited, input.version);
  const locales = localesOf(answered.definition);
  const locale = chooseLocale({ wanted: input.locale, accepted: input.accepted }, locales, locales[0]);
  const { config, publicSettings } = withDefaults(answered.definition);
  const asksProof = channel === 'public' && config.requireAltcha && !visited.task;
  const holds = asksProof && input.altcha === undefined ? input.holds : undefined;
  const proof = asksProof && !holds ? await requireProof(input.altcha, proofOptions(context, visited, scope.now)) : undefined;
  // People read the texts of the form in their language, programs those for developers.
  const forDeveloper = channel === 'api' ? { reasonOf: developerMessageOf } : {};
  const { values, caught } = await takeAnswers(answered.definition, input.data, { locale, team: scope.team, ...forDeveloper });
  const ignored = unknownAnswers(answered.definition, input.data, [honeypot, ...(books(visited) ? timeMembers : [])]);
  const shared = ignored.length === 0 ? {} : { ignored };
  const { reasonOf = (breach) => messageOf(breach, locale) } = forDeveloper;
  const { successMessage } = publicSettings;
  const message = successMessage === undefined ? thanks(locale) : resolveText(successMessage, locale, locales[0]);
  const id = randomUUIDv7();
  const kept = { id, answered, values, locale, status: caught ? 'spam' : 'received' };
  if (proof) await spendProof(scope, proof);
  // A bot that the honeypot caught gets no validation errors.
  const wish =
    !caught && books(visited) ? wishOf(visited, { id, data: input.data, values, fields: answered.definition.fields, locale }) : undefined;
  if (caught) return { ...(await keepCaught(visit, kept)), message, ...shared };

  const records = await nameRecords(scope, answered, { fields: answered.definition.fields, values, reasonOf });
  if (holds) {
    await storeUntilConfirmed(context, visit, { ...kept, records }, holds.link);
    return { submissionId: id, hasSession: false, message, awaitsConfirmation: true, ...shared };
  }
  const kinds = effectsOf(answered.definition);
  const shows = (kinds.includes('document') && publicSettings.allowPdf) || books(visited);
  const begun = visit.session === undefined && shows && channel === 'public' ? newSession() : undefined;
  if (begun) keepSession(scope, visited, begun);
  else if (visit.session !== undefined) extendSession(scope, visit.session);
  keepSubmission(visit, { ...kept, records }, begun?.id ?? visit.session ?? null);
  await claimUploads(scope, {
    visit,
    id,
    fields: answered.definition.fields,
    named: uploadsIn(answered.definition.fields, values),
    reasonOf,
  });
  const { recordId } = await receive(context, visit, { id, answered, values, kinds, wish });
  return {
    submissionId: id,
    hasSession: shows,
    message,
    ...shared,
    ...(recordId === undefined ? {} : { recordId }),
    ...(begun ? { token: begun.token } : {}),
  };
}

/** Stores a submission that the honeypot caught for review by the team. It has no effects, and its sender gets a normal response. */
async function keepCaught(visit: Visit, kept: StoredSubmission): Promise<{ submissionId: string; hasSession: boolean }> {
  const { scope, visited, channel } = visit;
  keepSubmission(visit, kept, null);
  await recordAudit(scope, submissionCaught, kept.id, { interfaceId: visited.id, version: kept.answered.number });
  scope.db.send(queries.countSpam, { team: scope.team, interface: visited.id, channel, at: scope.now });
  return { submissionId: kept.id, hasSession: false };
}

/** Returns the last submission of a session and its booking. */
export async function outcomeOf(
  { bookings }: Submitting,
  { db, team, now }: Pick<ReadScope, 'db' | 'team' | 'now'>,
  session: string | undefined,
) {
  const found = session === undefined ? undefined : await db.first(queries.newestOfSession, { team, session });
  return found && { submissionId: found.id, booking: await bookings.bookingOf({ db, team, now }, found.id) };
}

/** Returns the booking of a session. Throws 404 `no_submission_session`. */
export async function bookingOfSession(...args: Parameters<typeof outcomeOf>) {
  const booked = (await outcomeOf(...args))?.booking;
  if (!booked) throw submissionProblems.no_submission_session('This session has no booking. Use the link in the email.');
  return booked;
}
