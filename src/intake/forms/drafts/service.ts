import { randomUUIDv7 } from 'node:crypto';
import { type Answers, checkWith, chooseLocale, definitionLimits, type Field, resolveText, uploadsIn } from '#fields';
import { issuingTeam } from '#teams';
import { isToken, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { requireProof } from '../../../platform/http/proof-of-work.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueVisitorMail } from '../../../platform/mail/visitors.ts';
import { problems } from '../../../platform/problems.ts';
import { timeInWords } from '../../../platform/time-in-words.ts';
import type { Scope } from '../../../platform/scope.ts';
import { brandOfTeam, lookOf } from '../branding/index.ts';
import { localesOf } from '../definition.ts';
import { withDefaults } from '../present.ts';
import {
  answeredVersion,
  keepSession,
  newSession,
  proofOptions,
  spendProof,
  submissionProblems,
  type Submitting,
  type Visit,
} from '../submit/index.ts';
import { requireOpen, type Visited } from '../visitor.ts';
import { draftDropped, draftKept, draftMailed, draftResumed } from './events.ts';
import { draftProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { DraftBody, DraftView } from './schemas.ts';
import { draftMail } from './words.ts';

/** A draft is kept for a week after it was kept last. */
const days = 7;
/** How often the link to one draft is mailed: each may go to another address, and a proof of work was made for the first alone. */
const maxMails = 5;
/** Drafts that a form keeps at a time. */
const maxDrafts = 1_000;

const present = (row: queries.DraftRow): DraftView => ({
  data: row.data,
  version: row.version,
  revision: row.revision,
  updatedAt: new Date(row.updated_at).toISOString(),
  expiresAt: new Date(row.expires_at).toISOString(),
});

const noDraft = () => draftProblems.draft_not_found('There is no draft here, or its time is over.');

/** Whether a form keeps drafts, and takes answers at all. Errors: 404 `drafts_disabled`, 409 `interface_full`, 410. */
export function requireDrafts(visited: Visited, now: Date): void {
  requireOpen(visited, now);
  if (visited.definition.config.drafts !== true)
    throw draftProblems.drafts_disabled('This form keeps no drafts: submit the answers in one go.');
}

/**
 * Keeps answers as they are so far, whatever is missing or wrong in them, in the place of what the session has kept before. `token`
 * opens the session that was begun with it. Errors: 400 `altcha_…`, 404 `drafts_disabled`, 409 `draft_superseded`, `draft_limit`,
 * `version_superseded`, 413.
 */
export async function saveDraft(
  context: Pick<Submitting, 'proofKey'>,
  { scope, visited, session }: Visit,
  { data, version, revision, altcha }: DraftBody,
): Promise<{ draft: DraftView; session: string; token?: string }> {
  requireDrafts(visited, scope.now);
  if (Buffer.byteLength(JSON.stringify(data)) > definitionLimits.dataBytes)
    throw problems.payload_too_large(`The answers take more than ${definitionLimits.dataBytes / 1024} KiB. Send less.`);
  const answered = await answeredVersion(scope, visited, version);
  const begun = session === undefined ? newSession() : undefined;
  if (begun) await begin(context, scope, visited, altcha);
  if (begun) keepSession(scope, visited, begun);
  const { fields } = answered.definition;
  const { values } = checkWith(fields, data, { locale: 'en' });
  const of = begun?.id ?? session ?? '';
  const expires = new Date(scope.now.getTime() + days * 86_400_000);
  const row = await scope.db.first(queries.saveDraft, {
    team: scope.team,
    interface: visited.id,
    id: randomUUIDv7(),
    session: of,
    // Of a link that nobody has: one is made when it is mailed.
    hash: tokenHash(newToken()),
    version: answered.number,
    data: JSON.stringify(withoutHidden(fields, values)),
    expected: revision ?? null,
    at: scope.now,
    expires,
  });
  if (!row) throw draftProblems.draft_superseded('The draft was saved again in another window. Read it again, and send your answers.');
  holdUploads(scope, { from: of, session: of, ids: uploadsIn(fields, values).map(({ fileId }) => fileId), expires });
  await recordAudit(scope, draftKept, row.id, { interfaceId: visited.id, revision: row.revision });
  return { draft: present(row), session: of, ...(begun ? { token: begun.token } : {}) };
}

/** What hidden fields hold is the form's, and is shown to nobody who answers: it is there again when the answers are submitted. */
function withoutHidden(fields: readonly Field[], values: Answers): Answers {
  const hidden = new Set(fields.filter(({ type }) => type === 'hidden').map(({ id }) => id));
  return Object.fromEntries(Object.entries(values).filter(([id]) => !hidden.has(id)));
}

/** Keeps answers, and mails the link by which they are gone on with, or does neither. Errors: see {@link saveDraft}, {@link mailDraft}. */
export async function keepAndMailDraft(
  context: Pick<Submitting, 'proofKey' | 'baseUrl'>,
  visit: Visit,
  { mailed, ...kept }: DraftBody & { mailed: Mailed },
): Promise<{ mail: 'queued' | 'skipped'; token?: string }> {
  const { session, token } = await saveDraft(context, visit, kept);
  const { mail } = await mailDraft(context, { ...visit, session }, mailed);
  return { mail, ...(token === undefined ? {} : { token }) };
}

/** What begins a session costs a proof of work where the form asks for one, and a form keeps so many drafts. */
async function begin(context: Pick<Submitting, 'proofKey'>, scope: Scope, visited: Visited, altcha: unknown): Promise<void> {
  const { requireAltcha } = withDefaults(visited.definition).config;
  if (requireAltcha) await spendProof(scope, await requireProof(altcha, proofOptions(context, visited, scope.now)));
  const kept = await scope.db.first(queries.draftsKept, { team: scope.team, interface: visited.id, most: maxDrafts });
  if ((kept?.kept ?? 0) >= maxDrafts)
    throw draftProblems.draft_limit('This form keeps as many drafts as it may. Submit the answers, or keep them later.');
}

type DraftUploads = { from: string; session: string; ids: string[]; expires: Date };

function holdUploads({ db, team }: Scope, { ids, ...rest }: DraftUploads): void {
  if (ids.length > 0) db.send(queries.holdUploads, { team, ids: ids.map((id) => id.toLowerCase()), ...rest });
}

type DraftLookup = { db: Pick<Scope['db'], 'first'>; visited: Visited; session: string | undefined; now: Date };

/** The draft that a session has, if it has one. */
export async function findDraft({ db, visited, session, now: at }: DraftLookup): Promise<queries.DraftRow | undefined> {
  if (session === undefined) return undefined;
  return db.first(queries.draftOfSession, { team: visited.team, interface: visited.id, session, at });
}

/** The same as a page shows it: what was answered, and what the files among the answers are called. */
export async function findAnswers(
  asking: DraftLookup & { db: Pick<Scope['db'], 'first' | 'all'> },
): Promise<{ answers: Answers; fileNames: ReadonlyMap<string, string> } | undefined> {
  const { db, visited, session } = asking;
  const row = await findDraft(asking);
  if (!row || session === undefined) return undefined;
  const ids = uploadsIn(visited.definition.fields, row.data).map(({ fileId }) => fileId.toLowerCase());
  const files = ids.length === 0 ? [] : await db.all(queries.namesOfUploads, { team: visited.team, session, ids });
  return { answers: row.data, fileNames: new Map(files.map(({ id, name }) => [id, name])) };
}

async function ownDraft(asking: DraftLookup): Promise<queries.DraftRow> {
  const row = await findDraft(asking);
  if (!row) throw noDraft();
  return row;
}

/** The draft of the caller's session. Errors: 404 `draft_not_found`. */
export const readDraft = async (asking: DraftLookup): Promise<DraftView> => present(await ownDraft(asking));

type Mailed = { email: string; link: string; locale?: string | undefined; accepted?: string | undefined };

/** Mails a link by which the draft is gone on with on another device; the one before it ends. Errors: 404, 422 `submission_invalid`. */
export async function mailDraft(
  { baseUrl }: Pick<Submitting, 'baseUrl'>,
  { scope, visited, session }: Visit,
  { email, link, locale: wanted, accepted }: Mailed,
): Promise<{ mail: 'queued' | 'skipped' }> {
  requireDrafts(visited, scope.now);
  const { team } = scope;
  const { definition } = visited;
  const locales = localesOf(definition);
  const locale = chooseLocale({ wanted, accepted }, locales, locales[0]);
  const to = cleanAddress(email, locale);
  const of = { team, interface: visited.id, at: scope.now };
  const row = session === undefined ? undefined : await scope.db.first(queries.draftToMail, { ...of, session });
  if (!row) throw noDraft();
  if (row.mails >= maxMails) return { mail: 'skipped' };
  const issuer = await scope.db.first(issuingTeam, { team });
  const token = newToken();
  const until = timeInWords(row.expires_at, locale, issuer?.time_zone ?? 'UTC');
  const said = { title: resolveText(definition.title, locale, locales[0]), until };
  const look = lookOf(baseUrl, await brandOfTeam(scope.db, team, issuer?.name ?? ''));
  const mail = await queueVisitorMail(scope.db, team, {
    to,
    about: session ?? row.id,
    ...draftMail(locale, { ...said, url: `${baseUrl}/f/${link}/draft/${token}` }, look),
  });
  // Where nothing is mailed, the link of before is the one that its reader has.
  if (mail === 'skipped') return { mail };
  scope.db.send(queries.setDraftHash, { team, id: row.id, hash: tokenHash(token) });
  await recordAudit(scope, draftMailed, row.id, { interfaceId: visited.id });
  return { mail };
}

function cleanAddress(email: string, locale: string): string {
  const field = { id: 'email', type: 'email', required: true } as const;
  const { values, errors } = checkWith([field], { email }, { locale, at: '' });
  if (errors.length > 0) throw submissionProblems.submission_invalid('The address cannot be written to.', { errors });
  return String(values.email);
}

/**
 * Goes on with a draft by the secret of its mailed link, in a session of its own: the one that had it sees it no more. Errors: 404
 * `draft_not_found`, whatever the reason.
 */
export async function resumeDraft({ scope, visited }: Visit, secret: string): Promise<{ draft: DraftView; token: string }> {
  requireDrafts(visited, scope.now);
  const { team, now: at } = scope;
  const row = isToken(secret)
    ? await scope.db.first(queries.draftByLink, { team, interface: visited.id, hash: tokenHash(secret), at })
    : undefined;
  if (!row) throw noDraft();
  const begun = newSession();
  keepSession(scope, visited, begun);
  scope.db.send(queries.moveDraft, { team, id: row.id, session: begun.id });
  const { definition } = await answeredVersion(scope, visited, row.version).catch(() => visited);
  const ids = uploadsIn(definition.fields, row.data).map(({ fileId }) => fileId);
  if (row.session_id !== null) holdUploads(scope, { from: row.session_id, session: begun.id, ids, expires: new Date(row.expires_at) });
  await recordAudit(scope, draftResumed, row.id, { interfaceId: visited.id });
  return { draft: present(row), token: begun.token };
}

/** Drops the draft of the caller's session. Errors: 404 `draft_not_found`. */
export async function deleteDraft({ scope, visited, session }: Visit): Promise<void> {
  const dropped = session === undefined ? undefined : await scope.db.first(queries.deleteDraft, { team: scope.team, session });
  if (!dropped) throw noDraft();
  await recordAudit(scope, draftDropped, dropped.id, { interfaceId: visited.id });
}
