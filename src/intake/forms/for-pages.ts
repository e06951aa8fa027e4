import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Availability, type BookedInSession, slotsOfCalendar } from '#bookings';
import { type Answers, chooseLocale, resolveFields, type ResolvedField } from '#fields';
import type { PublicRecord } from '#registries';
import { teamAndMember } from '#teams';
import { addressBlock, clientIp } from '../../platform/http/client-ip.ts';
import { writingPublic } from '../../platform/http/scope.ts';
import { enterTeam } from '../../platform/scope.ts';
import { type Brand, brandOfTeam, logoPath } from './branding/index.ts';
import { type DocumentState, documentState } from './document/index.ts';
import { type Offer, offerRecords } from './lookup.ts';
import { localesOf } from './definition.ts';
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

/** A form as its page shows it. */
export type PageForm = {
  /** Whose it is. */
  team: string;
  /** What everybody is told of it. */
  shown: PublicInterface;
  /** The same fields with what hidden ones hold, by which the server says what is shown. */
  fields: ResolvedField[];
  version: number;
  /** The team, as visitors know it: what it is called, and its logo and colour. `logo` is a path. */
  by: Brand;
  /** The time zone of the team. */
  timeZone: string;
  /** How the page looks, and where it leads. */
  settings: ReturnType<typeof withDefaults>['publicSettings'];
  /** Whether it is a draft that is looked at: nothing that is sent is kept. */
  preview?: true;
};

/** What a page sends in place of a program. */
export type PageSubmission = Omit<Submission, 'holds'> & {
  key: string;
  /** Whether the page has no script: see {@link Submission}. */
  plain?: boolean;
};

/** Answers that are not sent yet, and where the link to them goes. */
export type PageDraft = Pick<Submission, 'version' | 'altcha'> & { data: Answers; email: string; locale: string };

/** What became of what was sent last in a session. */
export type SessionOutcome = { submissionId: string; booking: BookedInSession | undefined; pdf: DocumentState | undefined };

/** What the pages of a form's link run: the use cases of its operations. */
export type FormsForPages = {
  /** What the link shows. `read`: also when nothing new is taken. Errors: 404 `interface_not_found`, 409 `interface_full`, 410 `interface_closed`. */
  show(request: FastifyRequest, token: string, wanted?: { locale?: string | undefined; closed?: true }): Promise<PageForm>;
  /** Takes the answers, once under their key; a session that begins with them is the browser's. Errors: see the operation. */
  submit(request: FastifyRequest, reply: FastifyReply, token: string, sent: PageSubmission): Promise<Submitted>;
  /** Takes a file that comes along with the answers, for the browser's session. Errors: see the operation. */
  upload(request: FastifyRequest, reply: FastifyReply, token: string, file: MultipartFile): Promise<StoredUpload>;
  /** What the browser has kept of answers that are not sent yet, and what the files among them are called, by their ids. */
  draft(request: FastifyRequest, token: string): Promise<{ answers: Answers; fileNames: ReadonlyMap<string, string> } | undefined>;
  /** Keeps answers and mails the link by which they are gone on with. Errors: see the operations of drafts. */
  keep(request: FastifyRequest, reply: FastifyReply, token: string, kept: PageDraft): Promise<'queued' | 'skipped'>;
  /** Has the browser go on with a draft by the secret of its mailed link. Errors: see the operation. */
  resume(request: FastifyRequest, reply: FastifyReply, token: string, secret: string): Promise<void>;
  /** Has what was held count by the secret of its mailed link; its session is the browser's. Errors: 404 `submission_not_pending`, 409, 410. */
  confirm(request: FastifyRequest, reply: FastifyReply, token: string, secret: string): Promise<void>;
  /** Ends what the browser may see of what was sent. */
  finish(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void>;
  /** What the browser may see of what was sent last; nothing without a session. `token`: of a session that has just begun. */
  outcome(request: FastifyRequest, token: string, session?: string): Promise<SessionOutcome | undefined>;
  /** The records that registry fields offer, in the order of what is asked for. */
  offered(request: FastifyRequest, token: string, offers: readonly Offer[]): Promise<PublicRecord[][]>;
  /** Takes what a visitor tells staff of a page, by the interface that it is of. Errors: 429. */
  report(request: FastifyRequest, about: { team: string; id: string }, report: Report): Promise<void>;
  /** How a team's pages look; `called` is what it is called without a look of its own. */
  brand(request: FastifyRequest, team: string, called: string): Promise<Brand>;
  /** What is free in the calendar of a booking form. */
  slots(request: FastifyRequest, token: string, range: { from: string; to: string }): Promise<Availability>;
};

const linkOf = (token: string) => ({ channel: 'public', token }) as const;

export function formsForPages(submitting: Submitting, uploading: Uploading, reportsPerAddress: number): FormsForPages {
  return {
    show: showForm,

    async submit(request, reply, token, { key, plain, ...sent }) {
      const { altcha: _, accepted: __, ...fingerprint } = sent;
      // A page cannot send a header: its key stands in the form.
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
      submitting.rates.spend(from, reportsPerAddress, 'From your address this service takes', { things: 'reports' });
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

/** Changes something by the link of a form. The session that results is the browser's. */
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
