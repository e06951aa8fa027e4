import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Availability, type BookedInSession, slotsOfCalendar } from '#bookings';
import { type Answers, chooseLocale, resolveFields, type ResolvedField, localesOf } from '#fields';
import type { PublicRecord } from '#registries';
import { teamAndMember } from '#teams';
import { addressBlock, clientIp } from '../../platform/http/client-ip.ts';
import { writingPublic } from '../../platform/http/scope.ts';
import { enterTeam } from '../../platform/scope.ts';
import { type Brand, brandOfTeam, logoPath } from './branding/index.ts';
import { type DocumentState, documentState } from './document/index.ts';
import { type Offer, offerRecords } from './lookup.ts';
import { withDefaults } from './present.ts';
import { shownInterface, turnOfForm } from './public.ts';
import type { PublicInterface } from './public-schemas.ts';
import {
  confirmSubmission,
  endVisit,
  findSession,
  newSession,
  outcomeOf,
  sessionToken,
  showSession,
  type Submission,
  submit,
  type Submitted,
  type Submitting,
  visiting,
} from './submit/index.ts';
import { keepReport, type Report } from './reports/index.ts';
import { type StoredUpload, uploadFromPage, type Uploading } from './uploads/index.ts';
import { findAnswers, keepAndMailDraft, resumeDraft } from './drafts/index.ts';
import { requireOpen, visit, type Visited } from './visitor.ts';

/** The data of the page of a form. */
export type PageForm = {
  /** The team that owns the form. */
  team: string;
  /** The public data of the form. */
  shown: PublicInterface;
  /** The fields with the values of hidden fields, which the server needs to evaluate conditions. */
  fields: ResolvedField[];
  version: number;
  /** The branding of the team. `logo` is a path. */
  by: Brand;
  timeZone: string;
  /** The appearance of the page and its redirect. */
  settings: ReturnType<typeof withDefaults>['publicSettings'];
  /** Whether the page is a preview, which stores nothing. */
  preview?: true;
};

/** The submission of a page. */
export type PageSubmission = Omit<Submission, 'holds'> & {
  key: string;
  /** Whether the page works without scripts: see {@link Submission}. */
  plain?: boolean;
};

/** Unfinished answers, and the address for the link to them. */
export type PageDraft = Pick<Submission, 'version' | 'altcha'> & { data: Answers; email: string; locale: string };

/** The results of the last submission in a session. */
export type SessionOutcome = { submissionId: string; booking: BookedInSession | undefined; pdf: DocumentState | undefined };

/** The use cases behind the pages of a form. */
export type FormsForPages = {
  /**
   * Returns the form of a link. `closed` also returns a form that is not open. Throws 404 `interface_not_found`, 409 `interface_full`,
   * 410 `interface_closed`.
   */
  show(request: FastifyRequest, token: string, wanted?: { locale?: string | undefined; closed?: true }): Promise<PageForm>;
  /** Submits the answers, once for each idempotency key. A new session is stored in the browser. Throws the errors of the operation. */
  submit(request: FastifyRequest, reply: FastifyReply, token: string, sent: PageSubmission): Promise<Submitted>;
  /** Stores a file in the session of the browser. Throws the errors of the operation. */
  upload(request: FastifyRequest, reply: FastifyReply, token: string, file: MultipartFile): Promise<StoredUpload>;
  /** Returns the draft of the browser, and the names of its files by id. */
  draft(request: FastifyRequest, token: string): Promise<{ answers: Answers; fileNames: ReadonlyMap<string, string> } | undefined>;
  /** Saves a draft and mails its link. Throws the errors of the draft operations. */
  keep(request: FastifyRequest, reply: FastifyReply, token: string, kept: PageDraft): Promise<'queued' | 'skipped'>;
  /** Resumes a draft in the browser through the secret of its mailed link. Throws the errors of the operation. */
  resume(request: FastifyRequest, reply: FastifyReply, token: string, secret: string): Promise<void>;
  /**
   * Confirms an unconfirmed submission through the secret of its mailed link. The browser gets the session of the submission. Throws 404
   * `submission_not_pending`, 409, 410.
   */
  confirm(request: FastifyRequest, reply: FastifyReply, token: string, secret: string): Promise<void>;
  /** Ends the access of the browser to its submission. */
  finish(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void>;
  /**
   * Returns the results of the last submission of the browser, or `undefined` without a session. `session` is the token of a new
   * session.
   */
  outcome(request: FastifyRequest, token: string, session?: string): Promise<SessionOutcome | undefined>;
  /** Returns the records for registry fields, in the order of the offers. */
  offered(request: FastifyRequest, token: string, offers: readonly Offer[]): Promise<PublicRecord[][]>;
  /** Stores the report of a visitor about a page. Throws 429. */
  report(request: FastifyRequest, about: { team: string; id: string }, report: Report): Promise<void>;
  /** Returns the branding of a team. `called` is the default name. */
  brand(request: FastifyRequest, team: string, called: string): Promise<Brand>;
  /** Returns the free slots of a booking form. */
  slots(request: FastifyRequest, token: string, range: { from: string; to: string }): Promise<Availability>;
};

const linkOf = (token: string) => ({ channel: 'public', token }) as const;

export function formsForPages(submitting: Submitting, uploading: Uploading, reportsPerAddress: number): FormsForPages {
  return {
    show: showForm,

    async submit(request, reply, token, { key, plain, ...sent }) {
      const { altcha: _, accepted: __, ...fingerprint } = sent;
      // A page cannot send a header, so its form contains the key.
      request.headers['idempotency-key'] = key;
      return inSession(submitting, { request, reply, token }, fingerprint, (visited) =>
        submit(submitting, visited, { ...sent, holds: plain ? { link: token } : undefined }),
      );
    },

    upload: (request, reply, token, file) => uploadFromPage(uploading, request, reply, token, file),

    draft: draftOf,

    async keep(request, reply, token, { data, version, altcha, email, locale }) {
      const kept = { data, ...(version === undefined ? {} : { version }), ...(altcha === undefined ? {} : { altcha }) };
      const { mail } = await inSession(submitting, { request, reply, token }, { data, email }, (visited) =>
        keepAndMailDraft(submitting, visited, { ...kept, mailed: { email, link: token, locale } }),
      );
      return mail;
    },

    async resume(request, reply, token, secret) {
      await inSession(submitting, { request, reply, token }, { secret }, (visited) => resumeDraft(visited, secret));
    },

    async confirm(request, reply, token, secret) {
      await inSession(submitting, { request, reply, token }, { secret }, (visited) => confirmSubmission(submitting, visited, secret));
    },

    finish: (request, reply, token) => endVisit(submitting, request, reply, linkOf(token)),

    async outcome(request, token, session) {
      const { database, clock } = request.server;
      const visited = await visit(database, linkOf(token));
      const db = database.reader(visited.team);
      const id = await findSession({ db }, visited, session ?? sessionToken(request));
      const { team } = visited;
      const outcome = await outcomeOf(submitting, { db, team, now: clock() }, id);
      return outcome && { ...outcome, pdf: await documentState({ db, team, session: id }) };
    },

    async offered({ server: { database } }, token, offers) {
      return offerRecords(database, await visit(database, linkOf(token)), offers);
    },

    async report(request, { team, id }, report) {
      const from = `report ${addressBlock(clientIp(request))}`;
      submitting.rates.spend(from, reportsPerAddress, 'This service accepts from your address', { things: 'reports' });
      await writingPublic(
        request,
        async (scope) => keepReport(enterTeam(scope, team, { type: 'visitor', id: newSession().id }), id, report),
        team,
      );
    },

    brand: ({ server: { database } }, team, called) => brandOfTeam(database.reader(team), team, called),

    async slots({ server: { database, clock } }, token, range) {
      const visited = await visit(database, linkOf(token));
      const now = clock();
      requireOpen(visited, now);
      return slotsOfCalendar({ db: database.reader(visited.team), team: visited.team, now }, visited.id, range);
    },
  };
}

type Changing = { request: FastifyRequest; reply: FastifyReply; token: string };

/** Runs a change through the link of a form and stores the resulting session in the browser. */
async function inSession<T extends { token?: string | undefined }>(
  submitting: Submitting,
  { request, reply, token }: Changing,
  fingerprint: object,
  work: Parameters<typeof visiting<T>>[3],
): Promise<T> {
  const link = linkOf(token);
  const done = await visiting(request, submitting, { link, fingerprint, counted: true }, work);
  showSession(reply, submitting.baseUrl, link, done.token);
  return done;
}

const draftOf: FormsForPages['draft'] = async (request, token) => {
  const { database, clock } = request.server;
  const visited = await visit(database, linkOf(token));
  if (visited.definition.config.drafts !== true) return undefined;
  const db = database.reader(visited.team);
  const session = await findSession({ db }, visited, sessionToken(request));
  return findAnswers({ db, visited, session, now: clock() });
};

const showForm: FormsForPages['show'] = async ({ server: { database, clock }, headers }, token, { locale, closed } = {}) => {
  const visited = await visit(database, linkOf(token));
  if (!closed) requireOpen(visited, clock());
  const preference = { wanted: locale, accepted: headers['accept-language'] };
  const team = await database.reader(visited.team).first(teamAndMember, { team: visited.team, member: visited.owner_id });
  await turnOfForm(visited.team, visited.definition.fields);
  return {
    team: visited.team,
    shown: shownInterface(visited, preference),
    fields: fieldsOf(visited, preference),
    version: visited.version,
    by: brandOf(visited, team?.name ?? ''),
    timeZone: team?.time_zone ?? 'UTC',
    settings: withDefaults(visited.definition).publicSettings,
  };
};

export function brandOf(
  { team, brand_name: name, brand_colour: colour, brand_logo: logo }: Pick<Visited, 'team' | 'brand_name' | 'brand_colour' | 'brand_logo'>,
  teamName: string,
): Brand {
  return {
    name: name ?? teamName,
    ...(colour === null ? {} : { colour }),
    ...(logo === null ? {} : { logo: logoPath(team, logo) }),
  };
}

function fieldsOf({ definition }: Visited, preference: { wanted?: string | undefined; accepted?: string | undefined }): ResolvedField[] {
  const locales = localesOf(definition);
  return resolveFields(definition.fields, chooseLocale(preference, locales, locales[0]), locales[0]);
}
