import type { FastifyRequest } from 'fastify';
import { type Html, html } from '../../../../platform/http/html.ts';
import { bookerView } from '../booking/booker-view.ts';
import { chosenTime, otherTimes } from '../booking/booking-view.ts';
import { chooser, momentOf, nearTo, type Offer, offered } from '../booking/choose.ts';
import { knownZone } from '../booking/days.ts';
import type { PublicPages } from '../context.ts';
import type { PublicPage } from '../shell.ts';
import { wordsFor } from '../words/index.ts';
import { type OpenForm, pageOfForm, pathOf } from './form-page.ts';

export const isBooking = ({ form }: OpenForm): boolean => form.shown.type === 'scheduling';

/** The parameters of a booking form. */
export type TimeQuery = Partial<Record<'zone' | 'month' | 'day' | 'start', string | undefined>>;

function offerOf(pages: PublicPages, request: FastifyRequest, { form: { shown }, token }: OpenForm, zone: string | undefined): Offer {
  const { timeZone = 'UTC', maxDaysAhead = 60 } = shown.calendar ?? {};
  return {
    path: pathOf(pages, token),
    locale: shown.publicSettings.locale,
    zone: knownZone(zone, timeZone),
    now: request.server.clock(),
    daysAhead: maxDaysAhead,
    slots: (range) => pages.forms.slots(request, token, range),
  };
}

/** The page to choose a time, before the questions. */
export async function timesPage(pages: PublicPages, request: FastifyRequest, open: OpenForm, query: TimeQuery): Promise<PublicPage> {
  const { shown } = open.form;
  const { words } = wordsFor(shown.publicSettings.locale);
  const booker = await chooser(offerOf(pages, request, open, query.zone), query);
  const body = html`<div class="intro">
      <h1 tabindex="-1">${shown.title}</h1>
      ${shown.description && html`<p class="lead">${shown.description}</p>`}
    </div>
    ${momentOf(query.start) && html`<p class="notice" role="status">${words.booking.notOffered}</p>`} ${bookerView(booker, words)}`;
  return pageOfForm(pages, open, body, { wide: true });
}

/** The chosen time above the questions, and the form values that book it. */
export type ChosenTime = { over: Html; along: Record<string, string> };

/** Returns the chosen time; undefined if none was chosen or it is not free. */
export async function chosenOf(
  pages: PublicPages,
  request: FastifyRequest,
  open: OpenForm,
  { start, zone }: TimeQuery,
): Promise<ChosenTime | undefined> {
  const offer = offerOf(pages, request, open, zone);
  const slot = await offered(offer, momentOf(start));
  if (!slot) return undefined;
  const { words } = wordsFor(offer.locale);
  const back = `${offer.path}?${new URLSearchParams({ locale: offer.locale, zone: offer.zone }).toString()}`;
  return {
    over: chosenTime({ ...slot, zone: offer.zone, locale: offer.locale, back }, words),
    along: { _start: slot.start, _zone: offer.zone },
  };
}

/** Returns other times above the questions when the chosen one is no longer free. The answers stay. */
export async function otherOf(
  pages: PublicPages,
  request: FastifyRequest,
  open: OpenForm,
  { start, zone }: TimeQuery,
): Promise<ChosenTime> {
  const offer = offerOf(pages, request, open, zone);
  const { words } = wordsFor(offer.locale);
  const slots = await nearTo(offer, momentOf(start));
  return { over: otherTimes(slots, offer, words), along: { _zone: offer.zone } };
}
