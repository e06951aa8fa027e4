import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Availability, type Booked, slotsOfCalendar } from '#bookings';
import { type Answers, chooseLocale, resolveFields, type ResolvedField } from '#fields';
import type { PublicRecord } from '#registries';
import { teamAndMember } from '#teams';
import { logoPath } from './branding/index.ts';
import { type DocumentState, documentState } from './document/index.ts';
import { type Offer, offerRecords } from './lookup.ts';
import { localesOf } from './definition.ts';
import { withDefaults } from './present.ts';
import { shownInterface } from './public.ts';
import type { PublicInterface } from './public-schemas.ts';
import {
  endVisit,
  findSession,
  outcomeOf,
  sessionToken,
  showSession,
  type Submission,
  submit,
  type Submitted,
  type Submitting,
  visiting,
} from './submit/index.ts';
import { type Taken, uploadFromPage, type Uploading } from './uploads/index.ts';
import { findDraft, resumeDraft } from './drafts/index.ts';
import { requireOpen, visit, type Visited } from './visitor.ts';

/** Whose page it is, as it is shown. */
export type Brand = { name: string; logo?: string; colour?: string };

/** A form as its page shows it. */
export type PageForm = {
  /** What everybody is told of it. */
  shown: PublicInterface;
  /** The same fields with what hidden ones hold, by which the server says what is shown. */
  fields: ResolvedField[];
  version: number;
  /** The team, as visitors know it: what it is called, and its logo and colour. `logo` is a path. */
  by: Brand;
  /** How the page looks, and where it leads. */
  settings: ReturnType<typeof withDefaults>['publicSettings'];
};

/** What a page sends in place of a program. */
export type PageSubmission = Submission & { key: string };

/** What became of what was sent last in a session. */
export type Outcome = { submissionId: string; booking: Booked | undefined; pdf: DocumentState | undefined };

/** What the pages of a form's link run: the use cases of its operations. */
export type FormsForPages = {
  /** What the link shows. `read`: also when nothing new is taken. Errors: 404 `interface_not_found`, 409 `interface_full`, 410 `interface_closed`. */
  show(request: FastifyRequest, token: string, wanted?: { locale?: string | undefined; closed?: true }): Promise<PageForm>;
  /** Takes the answers, once under their key; a session that begins with them is the browser's. Errors: see the operation. */
  submit(request: FastifyRequest, reply: FastifyReply, token: string, sent: PageSubmission): Promise<Submitted>;
  /** Takes a file that comes along with the answers, for the browser's session. Errors: see the operation. */
  upload(request: FastifyRequest, reply: FastifyReply, token: string, file: MultipartFile): Promise<Taken>;
  /** What the browser has kept of answers that are not sent yet. */
  draft(request: FastifyRequest, token: string): Promise<Answers | undefined>;
  /** Has the browser go on with a draft by the secret of its mailed link. Errors: see the operation. */
  resume(request: FastifyRequest, reply: FastifyReply, token: string, secret: string): Promise<void>;
  /** Ends what the browser may see of what was sent. */
  finish(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void>;
  /** What the browser may see of what was sent last; nothing without a session. `token`: of a session that has just begun. */
  outcome(request: FastifyRequest, token: string, session?: string): Promise<Outcome | undefined>;
  /** The records that registry fields offer, in the order of what is asked for. */
  offered(request: FastifyRequest, token: string, offers: readonly Offer[]): Promise<PublicRecord[][]>;
  /** What is free in the calendar of a booking form. */
  slots(request: FastifyRequest, token: string, range: { from: string; to: string }): Promise<Availability>;
};

const linkOf = (token: string) => ({ channel: 'public', token }) as const;

export function formsForPages(submitting: Submitting, uploading: Uploading): FormsForPages {
  return {
    async show({ server: { database, clock }, headers }, token, { locale, closed } = {}) {
      const visited = await visit(database, linkOf(token));
      if (!closed) requireOpen(visited, clock());
      const asked = { wanted: locale, accepted: headers['accept-language'] };
      const team = await database.reader(visited.team).first(teamAndMember, { team: visited.team, member: visited.owner_id });
      return {
        shown: shownInterface(visited, asked),
        fields: fieldsOf(visited, asked),
        version: visited.version,
        by: brandOf(visited, team?.name ?? ''),
        settings: withDefaults(visited.definition).publicSettings,
      };
    },

    async submit(request, reply, token, { key, ...sent }) {
      const { altcha: _, accepted: __, ...fingerprint } = sent;
      const at = { link: linkOf(token), fingerprint, counted: true };
      // A page cannot send a header: its key stands in the form.
      request.headers['idempotency-key'] = key;
      const done = await visiting(request, submitting, at, (visited) => submit(submitting, visited, sent));
      showSession(reply, submitting.baseUrl, at.link, done.token);
      return done;
    },

    upload: (request, reply, token, file) => uploadFromPage(uploading, request, reply, token, file),

    async draft(request, token) {
      const { database, clock } = request.server;
      const visited = await visit(database, linkOf(token));
      if (visited.definition.config.drafts !== true) return undefined;
      const db = database.reader(visited.team);
      const session = await findSession({ db }, visited, sessionToken(request));
      const found = await findDraft({ db, visited, session, now: clock() });
      return found?.data;
    },

    async resume(request, reply, token, secret) {
      const at = { link: linkOf(token), fingerprint: { secret }, counted: true };
      const { token: session } = await visiting(request, submitting, at, (visited) => resumeDraft(visited, secret));
      showSession(reply, submitting.baseUrl, at.link, session);
    },

    finish: (request, reply, token) => endVisit(request, reply, linkOf(token)),

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

    async slots({ server: { database, clock } }, token, range) {
      const visited = await visit(database, linkOf(token));
      const now = clock();
      requireOpen(visited, now);
      return slotsOfCalendar({ db: database.reader(visited.team), team: visited.team, now }, visited.id, range);
    },
  };
}

function brandOf({ team, brand_name: name, brand_colour: colour, brand_logo: logo }: Visited, teamName: string): Brand {
  return {
    name: name ?? teamName,
    ...(colour === null ? {} : { colour }),
    ...(logo === null ? {} : { logo: logoPath(team, logo) }),
  };
}

function fieldsOf({ definition }: Visited, asked: { wanted?: string | undefined; accepted?: string | undefined }): ResolvedField[] {
  const locales = localesOf(definition);
  return resolveFields(definition.fields, chooseLocale(asked, locales, locales[0]), locales[0]);
}
