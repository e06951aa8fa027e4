import { randomUUIDv7 } from 'node:crypto';
import { type Answers, checkWith, chooseLocale, definitionLimits, type Field, resolveText, uploadsIn, localesOf } from '#fields';
import { issuingTeam } from '#teams';
import { isToken, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { requireProof } from '../../../platform/http/proof-of-work.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueVisitorMail } from '../../../platform/mail/visitors.ts';
import { problems } from '../../../platform/problems.ts';
import { timeInWords } from '../../../platform/time-in-words.ts';
import type { Scope } from '../../../platform/scope.ts';
import { brandOfTeam, mailBrandOf } from '../branding/index.ts';
import { withDefaults } from '../present.ts';
import {
  answeredVersion,
  honeypot,
  keepSession,
  newSession,
  proofOptions,
  refuseUnknownAnswers,
  spendProof,
  submissionProblems,
  type Submitting,
  timeMembers,
  type Visit,
} from '../submit/index.ts';
import { requireOpen, type Visited } from '../visitor.ts';
import { draftDropped, draftKept, draftMailed, draftResumed } from './events.ts';
import { draftProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { DraftBody, DraftView } from './schemas.ts';
import { draftMail } from './words.ts';

/** The lifetime of a draft in days after its last save. */
const days = 7;
/** The maximum number of mails for one draft. Each mail can go to another address, but only the first needs a proof of work. */
const maxMails = 5;
/** The maximum number of drafts of a form. */
const maxDrafts = 1_000;

const present = (row: queries.DraftRow): DraftView => ({
  data: row.data,
  version: row.version,
  revision: row.revision,
  updatedAt: new Date(row.updated_at).toISOString(),
  expiresAt: new Date(row.expires_at).toISOString(),
});

const noDraft = () => draftProblems.draft_not_found('The session has no draft, or the draft expired. Start with an empty form.');

/** Checks that a form is open and has drafts enabled. Throws 404 `drafts_disabled`, 409 `interface_full`, 410. */
export function requireDrafts(visited: Visited, now: Date): void {
  requireOpen(visited, now);
  if (visited.definition.config.drafts !== true)
    throw draftProblems.drafts_disabled('This form does not allow drafts. Submit the complete answers.');
}

/**
 * Saves the current answers without checking if they are complete or valid, and replaces the draft of the session. `token` is the
 * secret of a new session, if the call started one. Throws 400 `altcha_…`, 404 `drafts_disabled`, 409 `draft_superseded`,
 * `draft_limit`, `version_superseded`, 413, 422 `submission_invalid`.
 */
export async function saveDraft(
  context: Pick<Submitting, 'proofKey'>,
  { scope, visited, session }: Visit,
  { data, version, revision, altcha }: DraftBody,
): Promise<{ draft: DraftView; session: string; token?: string }> {
  requireDrafts(visited, scope.now);
  if (Buffer.byteLength(JSON.stringify(data)) > definitionLimits.dataBytes)
    throw problems.payload_too_large(`The answers are larger than ${definitionLimits.dataBytes / 1024} KiB. Send less.`);
  const answered = await answeredVersion(scope, visited, version);
  refuseUnknownAnswers(answered.definition, data, [honeypot, ...timeMembers]);
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
    // The hash of an unused token. The real link is created when it is mailed.
    hash: tokenHash(newToken()),
    version: answered.number,
    data: JSON.stringify(withoutHidden(fields, values)),
    expected: revision ?? null,
    at: scope.now,
    expires,
  });
  if (!row) throw draftProblems.draft_superseded('The draft changed in another window. Read it again, then send your answers.');
  extendUploads(scope, { from: of, session: of, ids: uploadsIn(fields, values).map(({ fileId }) => fileId), expires });
  await recordAudit(scope, draftKept, row.id, { interfaceId: visited.id, revision: row.revision });
  return { draft: present(row), session: of, ...(begun ? { token: begun.token } : {}) };
}

/** Removes the values of hidden fields, because visitors must not see them. The submission fills them in again. */
function withoutHidden(fields: readonly Field[], values: Answers): Answers {
  const hidden = new Set(fields.filter(({ type }) => type === 'hidden').map(({ id }) => id));
  return Object.fromEntries(Object.entries(values).filter(([id]) => !hidden.has(id)));
}

/** Saves a draft and mails its link in one transaction. Throws the errors of {@link saveDraft} and {@link mailDraft}. */
export async function keepAndMailDraft(
  context: Pick<Submitting, 'proofKey' | 'baseUrl'>,
  visit: Visit,
  { mailed, ...kept }: DraftBody & { mailed: Mailed },
): Promise<{ mail: 'queued' | 'skipped'; token?: string }> {
  const { session, token } = await saveDraft(context, visit, kept);
  const { mail } = await mailDraft(context, { ...visit, session }, mailed);
  return { mail, ...(token === undefined ? {} : { token }) };
}

/** Checks the proof of work, if the form requires it, and the limit of drafts before starting a session. */
async function begin(context: Pick<Submitting, 'proofKey'>, scope: Scope, visited: Visited, altcha: unknown): Promise<void> {
  const { requireAltcha } = withDefaults(visited.definition).config;
  if (requireAltcha) await spendProof(scope, await requireProof(altcha, proofOptions(context, visited, scope.now)));
  const kept = await scope.db.first(queries.draftsKept, { team: scope.team, interface: visited.id, most: maxDrafts });
  if ((kept?.kept ?? 0) >= maxDrafts)
    throw draftProblems.draft_limit('This form has its maximum number of drafts. Submit the answers, or save them later.');
}

type DraftUploads = { from: string; session: string; ids: string[]; expires: Date };

function extendUploads({ db, team }: Scope, { ids, ...rest }: DraftUploads): void {
  if (ids.length > 0) db.send(queries.extendUploads, { team, ids: ids.map((id) => id.toLowerCase()), ...rest });
}

type DraftLookup = { db: Pick<Scope['db'], 'first'>; visited: Visited; session: string | undefined; now: Date };

/** Returns the draft of a session, or `undefined`. */
export async function findDraft({ db, visited, session, now: at }: DraftLookup): Promise<queries.DraftRow | undefined> {
  if (session === undefined) return undefined;
  return db.first(queries.draftOfSession, { team: visited.team, interface: visited.id, session, at });
}

/** Returns the draft for a page: the answers, and the names of the files in them. */
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

/** Returns the draft of the session. Throws 404 `draft_not_found`. */
export const readDraft = async (asking: DraftLookup): Promise<DraftView> => present(await ownDraft(asking));

type Mailed = { email: string; link: string; locale?: string | undefined; accepted?: string | undefined };

/** Mails a link to resume the draft on another device. The previous link stops working. Throws 404, 422 `submission_invalid`. */
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
  const look = mailBrandOf(baseUrl, await brandOfTeam(scope.db, team, issuer?.name ?? ''));
  const mail = await queueVisitorMail(scope.db, team, {
    to,
    about: session ?? row.id,
    ...draftMail(locale, { ...said, url: `${baseUrl}/f/${link}/draft/${token}` }, look),
  });
  // Without a new mail, the previous link must keep working.
  if (mail === 'skipped') return { mail };
  scope.db.send(queries.setDraftHash, { team, id: row.id, hash: tokenHash(token) });
  await recordAudit(scope, draftMailed, row.id, { interfaceId: visited.id });
  return { mail };
}

function cleanAddress(email: string, locale: string): string {
  const field = { id: 'email', type: 'email', required: true } as const;
  const { values, errors } = checkWith([field], { email }, { locale, at: '' });
  if (errors.length > 0) throw submissionProblems.submission_invalid('The email address is invalid. Send another one.', { errors });
  return String(values.email);
}

/**
 * Resumes a draft through the secret of its mailed link, in a new session. The previous session loses the draft. Throws 404
 * `draft_not_found` for any reason.
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
  if (row.session_id !== null) extendUploads(scope, { from: row.session_id, session: begun.id, ids, expires: new Date(row.expires_at) });
  await recordAudit(scope, draftResumed, row.id, { interfaceId: visited.id });
  return { draft: present(row), token: begun.token };
}

/** Deletes the draft of the session. Throws 404 `draft_not_found`. */
export async function deleteDraft({ scope, visited, session }: Visit): Promise<void> {
  const dropped = session === undefined ? undefined : await scope.db.first(queries.deleteDraft, { team: scope.team, session });
  if (!dropped) throw noDraft();
  await recordAudit(scope, draftDropped, dropped.id, { interfaceId: visited.id });
}
