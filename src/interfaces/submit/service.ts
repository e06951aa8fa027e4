import { randomUUIDv7 } from 'node:crypto';
import { chooseLocale, resolveText, uploadsIn } from '#fields';
import { requireProof } from '../../platform/http/proof-of-work.ts';
import { record, recordAct } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { localesOf } from '../definition.ts';
import { interfaceProblems } from '../problems.ts';
import { withDefaults } from '../present.ts';
import type { Channel } from '../schemas.ts';
import { requireOpen, type Visited } from '../visitor.ts';
import { takeAnswers } from './answers.ts';
import { books, wishOf } from './booking.ts';
import type { Submitting } from './context.ts';
import { askForDocument, carryOut, effectsOf } from './effects.ts';
import { submissionCaught, submissionReceived } from './events.ts';
import { noteFailed } from './failures.ts';
import { askForReceipt, tellOfFailures, tellOfSubmission } from '../mails/index.ts';
import { type NamedRecords, nameRecords } from './records.ts';
import { submissionProblems } from './problems.ts';
import * as queries from './queries.ts';
import { proofOptions, spendProof } from './proofs.ts';
import { goOnWithSession, keepSession, newSession } from './sessions.ts';
import { claimUploads } from './uploads.ts';
import { thanks } from './words.ts';
import { type Answered, answeredVersion } from './versions.ts';

/** Somebody at an interface: what the link leads to, and the session that they have with it. */
export type Visit = { scope: Scope; visited: Visited; channel: Channel; session: string | undefined };

export type Submission = {
  data: Record<string, unknown>;
  version?: number | undefined;
  altcha?: unknown;
  locale?: string | undefined;
  accepted?: string | undefined;
};

/** What came of a submission. `token` opens the session that was begun with it. */
export type Submitted = { submissionId: string; hasSession: boolean; message: string; recordId?: string; token?: string };

/**
 * Takes answers, with all that follows from them, in one transaction: what live state refuses of that is kept as failed, and the
 * submission stands. Errors: 400 `altcha_…`, 404, 409 `interface_full`, `version_superseded`, 410, 413, 422 `submission_invalid`.
 */
export async function submit(context: Submitting, visit: Visit, input: Submission): Promise<Submitted> {
  const { scope, visited, channel } = visit;
  requireOpen(visited, scope.now);
  const answered = await answeredVersion(scope, visited, input.version);
  const locales = localesOf(answered.definition);
  const locale = chooseLocale({ wanted: input.locale, accepted: input.accepted }, locales, locales[0]);
  const { config, publicSettings } = withDefaults(answered.definition);
  const proof =
    channel === 'public' && config.requireAltcha ? await requireProof(input.altcha, proofOptions(context, visited, scope.now)) : undefined;
  const { values, caught } = takeAnswers(answered.definition, input.data, locale);
  const { successMessage } = publicSettings;
  const message = successMessage === undefined ? thanks(locale) : resolveText(successMessage, locale, locales[0]);
  const id = randomUUIDv7();
  const kept = { id, answered, values, locale, status: caught ? 'spam' : 'received' };
  if (proof) await spendProof(scope, proof);
  // Whoever is caught is told nothing of what was wrong.
  const wish =
    !caught && books(visited) ? wishOf(visited, { id, data: input.data, values, fields: answered.definition.fields, locale }) : undefined;
  if (caught) return { ...(await keepCaught(visit, kept)), message };

  const records = await nameRecords(scope, answered, { fields: answered.definition.fields, values, locale });
  const kinds = effectsOf(answered.definition);
  const shows = (kinds.includes('document') && publicSettings.allowPdf) || books(visited);
  const begun = visit.session === undefined && shows && channel === 'public' ? newSession() : undefined;
  if (begun) keepSession(scope, visited, begun);
  else if (visit.session !== undefined) goOnWithSession(scope, visit.session);
  insert(visit, { ...kept, records }, begun?.id ?? visit.session ?? null);
  await claimUploads(scope, {
    visit,
    id,
    fields: answered.definition.fields,
    named: uploadsIn(answered.definition.fields, values),
    locale,
  });
  await record(scope, submissionReceived, id, {
    interfaceId: visited.id,
    version: answered.number,
    channel,
    fields: Object.keys(values),
  });
  const { failed, recordId } = await follow(context, visit, { ...kept, kinds });
  if (wish) await context.bookings.book(scope, wish);
  else if (config.receipt === true) askForReceipt(scope, id);
  await count(visit, answered);
  // The count is held now, so that nobody counts without this one what they tell of.
  if ((visited.definition.config.notify ?? []).length > 0) tellOfSubmission(scope, visited.id);
  if (failed) await tellOfFailures(scope, visited.id);
  return {
    submissionId: id,
    hasSession: shows,
    message,
    ...(recordId === undefined ? {} : { recordId }),
    ...(begun ? { token: begun.token } : {}),
  };
}

type Kept = {
  id: string;
  answered: Answered;
  values: Record<string, unknown>;
  locale: string;
  status: string;
  records?: NamedRecords | null;
};

function insert({ scope, visited, channel }: Visit, { id, answered, values, locale, status, records }: Kept, session: string | null): void {
  scope.db.send(queries.insertSubmission, {
    team: scope.team,
    interface: visited.id,
    id,
    version: answered.number,
    channel,
    status,
    data: JSON.stringify(values),
    records: records ? JSON.stringify(records) : null,
    locale,
    session,
    confirmHash: null,
    heldUntil: null,
    at: scope.now,
  });
}

/** What the honeypot caught is kept for the team to look at, and nothing follows from it. Who sent it is told nothing of that. */
async function keepCaught(visit: Visit, kept: Kept): Promise<{ submissionId: string; hasSession: boolean }> {
  const { scope, visited, channel } = visit;
  insert(visit, kept, null);
  await recordAct(scope, submissionCaught, kept.id, { interfaceId: visited.id, version: kept.answered.number });
  scope.db.send(queries.countSpam, { team: scope.team, interface: visited.id, channel, at: scope.now });
  return { submissionId: kept.id, hasSession: false };
}

/** Does what is to follow, and writes down how that went: whether something failed, and the registry record that was made. */
async function follow(
  context: Submitting,
  { scope, visited }: Visit,
  { id, answered, values, kinds }: Kept & { kinds: ReturnType<typeof effectsOf> },
): Promise<{ failed: boolean; recordId?: string | undefined }> {
  const { definition, bindings } = answered;
  const usedBy = { owner_id: visited.owner_id, uses_by: answered.uses_by };
  const source = { id, interfaceId: visited.id, definition, bindings, values, usedBy, at: scope.now };
  const rows = await carryOut(context, scope, source, { kinds });
  if (kinds.includes('document')) rows.push(askForDocument(scope, id));
  if (rows.length === 0) return { failed: false };
  scope.db.send(queries.putEffects, { team: scope.team, id, effects: JSON.stringify(rows), at: scope.now });
  const failed = rows.filter(({ status }) => status === 'failed');
  await noteFailed(scope, { id, interfaceId: visited.id, failed });
  return { failed: failed.length > 0, recordId: rows.find(({ kind }) => kind === 'record')?.result_id ?? undefined };
}

/** Counts the submission, last of all, and lets no more be counted than are taken. Errors: 409 `interface_full`, 410. */
async function count({ scope, visited, channel }: Visit, { definition }: Answered): Promise<void> {
  const most = definition.publicSettings.maxSubmissions ?? null;
  const counted = await scope.db.first(queries.countSubmission, { team: scope.team, interface: visited.id, channel, most, at: scope.now });
  if (counted) return;
  if (most !== null) throw interfaceProblems.interface_full('This form has as many answers as it takes.');
  throw interfaceProblems.interface_closed('This form was closed.');
}

/** What was sent last in a session, and what it has booked. */
export async function outcomeOf(
  { bookings }: Submitting,
  { db, team, now }: Pick<ReadScope, 'db' | 'team' | 'now'>,
  session: string | undefined,
) {
  const found = session === undefined ? undefined : await db.first(queries.newestOfSession, { team, session });
  return found && { submissionId: found.id, booking: await bookings.bookingOf({ db, team, now }, found.id) };
}

/** What was booked in a session. Errors: 404 `no_submission_session`. */
export async function bookingOfSession(...asked: Parameters<typeof outcomeOf>) {
  const booked = (await outcomeOf(...asked))?.booking;
  if (!booked) throw submissionProblems.no_submission_session('Nothing was booked in this session. Use the link of the mail.');
  return booked;
}
