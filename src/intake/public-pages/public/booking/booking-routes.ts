import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type BookingLink, daysAheadLimit, type VisitorBooking } from '#bookings';
import { messageLocales } from '#fields';
import { type Html, html } from '../../../../platform/http/html.ts';
import type { App } from '../../../../platform/http/server.ts';
import { Problem } from '../../../../platform/problems.ts';
import { ownLocale, ownPage, type PublicPages } from '../context.ts';
import { pressed } from '../messages.ts';
import { refusalText } from '../refusals.ts';
import { requireSameOrigin } from '../same-origin.ts';
import { readForm } from '../sent-form.ts';
import type { Brand } from '../shell.ts';
import { wordsFor } from '../words/index.ts';
import { bookerView } from './booker-view.ts';
import { cancelledView, chosenTime, manageView, pathIn, type ShownBooking } from './booking-view.ts';
import { chooser, momentOf, type Offer, offered } from './choose.ts';
import { knownZone, writer } from './days.ts';

const config = { access: { kind: 'link' } } as const;
const params = Type.Object({ teamId: Type.String({ maxLength: 64 }), token: Type.String({ maxLength: 200 }) });
const schema = { hide: true, params };

type BookingQuery = Partial<Record<'zone' | 'month' | 'day' | 'start' | 'do' | 'done', string>>;

/** A booking at the address of its link, in the language and time zone of the visitor. */
type OpenBooking = { booking: VisitorBooking; link: BookingLink; path: string; locale: string; zone: string };

/** The routes of the booking page. Mails link to it. */
export function bookingRoutes(app: App, pages: PublicPages): void {
  app.get('/booking/:teamId/:token', { config, schema }, async (request, reply) => {
    const query = request.query as BookingQuery;
    const open = await opened(pages, request, request.params, { zone: query.zone });
    return show(pages, request, reply, open, viewOf(pages, request, open, query));
  });
  app.post('/booking/:teamId/:token', { config, schema }, (request, reply) => takeChange(pages, request, reply, request.params));
}

async function opened(
  pages: PublicPages,
  request: FastifyRequest,
  link: BookingLink,
  { zone, locale = ownLocale(request) }: { zone: string | undefined; locale?: string },
): Promise<OpenBooking> {
  const booking = await pages.bookings.show(request, link, locale);
  return {
    booking,
    link,
    path: `/booking/${link.teamId}/${link.token}`,
    locale,
    zone: knownZone(zone, booking.visitorTimeZone ?? booking.timeZone),
  };
}

type View = { body: Html; wide?: boolean };

async function show(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  { booking, link, path, locale }: OpenBooking,
  view: Promise<View> | View,
): Promise<FastifyReply> {
  const { words } = wordsFor(locale);
  const brand = booking.with === undefined ? undefined : await brandFor(pages, request, link.teamId, booking.with);
  return ownPage(pages, request, reply, {
    title: booking.title ?? words.booking.yours,
    path,
    ...(brand && { brand }),
    languages: { locales: messageLocales, form: false },
    report: `${pages.base}${path}/report?${new URLSearchParams({ locale }).toString()}`,
    ...(await view),
  });
}

/** Returns the brand of the page, with the address of the logo if there is one. */
async function brandFor(pages: PublicPages, request: FastifyRequest, team: string, called: string): Promise<Brand> {
  const brand = await pages.forms.brand(request, team.toLowerCase(), called);
  return brand.logo === undefined ? brand : { ...brand, logo: `${pages.base}${brand.logo}` };
}

function shownBooking(pages: PublicPages, { booking, path, locale, zone }: OpenBooking): ShownBooking {
  const { words } = wordsFor(locale);
  const { title, start, end, status, icsUrl, mayCancel, mayReschedule, changeUntil } = booking;
  const late = Date.parse(changeUntil) < Date.parse(start) ? 'late' : 'over';
  const change = mayReschedule ? 'open' : mayCancel ? 'closed' : late;
  return {
    path: `${pages.base}${path}`,
    title: title ?? words.booking.yours,
    start,
    end,
    zone,
    locale,
    status,
    change,
    icsUrl: pathIn(icsUrl),
  };
}

/** Chooses the view: the booking, other times, or the confirmation of a cancellation. */
async function viewOf(pages: PublicPages, request: FastifyRequest, open: OpenBooking, query: BookingQuery): Promise<View> {
  const { words } = wordsFor(open.locale);
  const shown = shownBooking(pages, open);
  if (shown.status === 'cancelled') return { body: cancelledView(shown, words) };
  if (query.do === 'move' && shown.change === 'open') return moving(pages, request, open, query);
  const moved = query.done === 'moved' ? words.booking.moved : undefined;
  // A requested change is not confirmed yet.
  const notice = open.booking.requested ? words.booking.pendingText : moved;
  return { body: manageView(shown, words, query.do === 'cancel' ? 'cancel' : 'nothing', notice) };
}

function offerOf(pages: PublicPages, request: FastifyRequest, { link, path, locale, zone }: OpenBooking): Offer {
  return {
    path: `${pages.base}${path}`,
    locale,
    zone,
    along: { do: 'move' },
    now: request.server.clock(),
    // The page does not know the limit of the calendar. Later days have no free times.
    daysAhead: daysAheadLimit,
    slots: (range) => pages.bookings.slots(request, link, range),
  };
}

async function moving(pages: PublicPages, request: FastifyRequest, open: OpenBooking, query: BookingQuery, notice?: string): Promise<View> {
  const { locale, zone } = open;
  const { words } = wordsFor(locale);
  const offer = offerOf(pages, request, open);
  const start = momentOf(query.start);
  const chosen = await offered(offer, start);
  const back = `${offer.path}?${new URLSearchParams({ do: 'move', locale, zone }).toString()}`;
  const { start: from, end: to } = open.booking;
  const heading = html`<div class="intro">
    <h1 tabindex="-1">${open.booking.title ?? words.booking.yours}</h1>
    <p class="lead">${words.booking.was}: <strong>${writer(locale, zone).span(from, to)}</strong></p>
  </div>`;
  const keep = html`<a class="button plain" href="${offer.path}?locale=${locale}">${words.booking.keep}</a>`;
  if (chosen && notice === undefined) {
    const values = { _do: 'move', _start: chosen.start, locale, zone };
    return {
      body: html`${heading} ${chosenTime({ ...chosen, zone, locale, back }, words)}
        <div class="actions">${pressed(offer.path, words.booking.moveTo, { style: '', values })} ${keep}</div>`,
    };
  }
  const gone = start === undefined ? undefined : words.booking.notOffered;
  const said = notice ?? gone;
  return {
    wide: true,
    body: html`${heading} ${said && html`<p class="notice" role="status">${said}</p>`} ${bookerView(await chooser(offer, query), words)}
      <p class="actions">${keep}</p>`,
  };
}

const acts = {
  cancel: {
    done: 'cancelled',
    run: (pages: PublicPages, request: FastifyRequest, link: BookingLink) => pages.bookings.cancel(request, link),
  },
  confirm: {
    done: 'confirmed',
    run: (pages: PublicPages, request: FastifyRequest, link: BookingLink) => pages.bookings.confirm(request, link),
  },
  move: {
    done: 'moved',
    run: (pages: PublicPages, request: FastifyRequest, link: BookingLink, start: string) => pages.bookings.move(request, link, start),
  },
} as const;

/** Problem codes after which the page shows the current state of the booking. */
const overtaken = new Set(['already_cancelled', 'booking_past', 'booking_closed', 'too_late', 'reschedule_limit', 'interface_closed']);

async function takeChange(pages: PublicPages, request: FastifyRequest, reply: FastifyReply, link: BookingLink): Promise<FastifyReply> {
  requireSameOrigin(request);
  const entries = await readForm(request, async ({ file }) => void file.resume());
  const one = (name: string) => entries.findLast(([given]) => given === name)?.[1];
  const [kind, start, zone] = [one('_do'), momentOf(one('_start')) ?? '', one('zone')];
  const act = kind === 'cancel' || kind === 'confirm' || kind === 'move' ? acts[kind] : undefined;
  try {
    if (act) await act.run(pages, request, link, start);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return refused(pages, request, reply, await opened(pages, request, link, { zone, locale: ownLocale(request, one('locale')) }), error);
  }
  const here = `${pages.base}/booking/${link.teamId}/${link.token}`;
  const locale = ownLocale(request, one('locale'));
  return reply.redirect(
    `${here}?${new URLSearchParams({ locale, ...(zone ? { zone } : {}), ...(act ? { done: act.done } : {}) }).toString()}`,
    303,
  );
}

/** Shows the unchanged booking with the reason why a change failed. */
async function refused(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  open: OpenBooking,
  problem: Problem,
): Promise<FastifyReply> {
  const { words } = wordsFor(open.locale);
  reply.code(problem.status);
  if (problem.code === 'slot_taken' || problem.code === 'slot_not_offered')
    return show(pages, request, reply, open, moving(pages, request, open, {}, refusalText(problem, words)));
  if (!overtaken.has(problem.code)) throw problem;
  const shown = shownBooking(pages, open);
  if (shown.status === 'cancelled') return show(pages, request, reply, open, { body: cancelledView(shown, words) });
  const known = { too_late: 'late', reschedule_limit: 'often', booking_past: 'over', booking_closed: 'over' } as const;
  const why = known[problem.code as keyof typeof known] ?? shown.change;
  return show(pages, request, reply, open, { body: manageView({ ...shown, change: why }, words) });
}
