import { type Content, type Html, html } from '../../../../platform/http/html.ts';
import { clock, cross, dash, tick } from '../marks.ts';
import { facts, message, pressed } from '../messages.ts';
import type { PublicTexts } from '../words/index.ts';
import { type Slot, writer } from './days.ts';

export type BookingStatus = keyof PublicTexts['booking']['status'];

/** A booking for the person who made it. */
export type ShownBooking = {
  path: string;
  title: string;
  start: string;
  end: string;
  zone: string;
  locale: string;
  status: BookingStatus;
  /** Whether the booking can be changed, or the reason why not. `closed` means that it can only be cancelled. */
  change: 'open' | 'late' | 'often' | 'over' | 'closed';
  icsUrl?: string | undefined;
};

/** The chosen time above the booking form. */
export function chosenTime(
  chosen: { start: string; end: string; zone: string; locale: string; back: string },
  { booking }: PublicTexts,
): Html {
  return html`<div class="chosen">
    <div>
      <strong>${writer(chosen.locale, chosen.zone).span(chosen.start, chosen.end)}</strong
      ><span class="soft">${chosen.zone.replaceAll('_', ' ')}</span>
    </div>
    <a href="${chosen.back}">${booking.change}</a>
  </div>`;
}

/** Free times near one that is no longer free. They are part of the form, so that the answers stay. */
export function otherTimes(
  slots: readonly Slot[],
  { path, zone, locale }: { path: string; zone: string; locale: string },
  { booking }: PublicTexts,
): Html {
  const write = writer(locale, zone);
  return html`<fieldset class="others">
    <legend class="question">${booking.intro}</legend>
    <div class="choices">
      ${slots.map(
        ({ start, end }) =>
          html`<label class="choice"
            ><input type="radio" name="_start" value="${start}" /><span class="text">${write.span(start, end)}</span></label
          >`,
      )}
    </div>
    <p class="soft">
      ${slots.length === 0 && booking.noneMonth} <a href="${path}?${new URLSearchParams({ locale, zone }).toString()}">${booking.change}</a>
    </p>
  </fieldset>`;
}

export function whenFacts(
  booking: Pick<ShownBooking, 'start' | 'end' | 'zone' | 'locale'>,
  words: PublicTexts,
): (readonly [string, Content])[] {
  return [
    [words.booking.when, writer(booking.locale, booking.zone).span(booking.start, booking.end)],
    [words.booking.where, booking.zone.replaceAll('_', ' ')],
  ];
}

/** Returns the path of an address of this service, so that links work under every host name of the service. */
export const pathIn = (url: string): string => new URL(url).pathname;

/** The page after a change: booked, rescheduled or cancelled. */
export function bookedView(
  booking: Omit<ShownBooking, 'title' | 'change'>,
  words: PublicTexts,
  manage?: string,
  after: Content = '',
): Html {
  const own = words.booking;
  const said: Partial<Record<BookingStatus, { mark: Content; title: string; text: string }>> = {
    confirmed: { mark: tick, title: own.booked, text: own.bookedText },
    pending: { mark: clock, title: own.pending, text: own.pendingText },
    held: { mark: clock, title: own.held, text: own.unconfirmedText },
  };
  const { mark, title, text } = said[booking.status] ?? { mark: dash, title: own.status[booking.status], text: '' };
  return message({
    mark,
    title,
    text,
    more: html`<div class="card">${facts(whenFacts(booking, words))}</div>
      <div class="actions">
        ${booking.icsUrl && html`<a class="button" href="${booking.icsUrl}">${own.calendar}</a>`}
        ${manage && html`<a class="button second" href="${manage}">${own.manage}</a>`}
      </div>
      ${after}`,
  });
}

/** A booking with its possible actions. */
export function manageView(booking: ShownBooking, words: PublicTexts, asking: 'nothing' | 'cancel' = 'nothing', notice?: string): Html {
  const own = words.booking;
  const lasts = booking.status === 'confirmed' || booking.status === 'pending' || booking.status === 'held';
  const why = lasts
    ? { open: undefined, closed: undefined, late: own.tooLate, often: own.movedTooOften, over: own.over }[booking.change]
    : undefined;
  return html`<div class="intro">
      <h1 tabindex="-1">${booking.title}</h1>
    </div>
    ${notice && html`<p class="notice" role="status">${notice}</p>`}
    <div class="card">${facts([...whenFacts(booking, words), [own.yours, own.status[booking.status]]])}</div>
    ${why && html`<p class="notice">${why}</p>`} ${lasts && asking === 'cancel' ? askCancel(booking, own) : lasts && actions(booking, own)}`;
}

function actions(booking: ShownBooking, own: PublicTexts['booking']): Html {
  const may = booking.change === 'open' || booking.change === 'often' || booking.change === 'closed';
  return html`<div class="actions">
    ${booking.status === 'held' && pressed(booking.path, own.confirm, { style: '', values: { _do: 'confirm', locale: booking.locale } })}
    ${booking.icsUrl && html`<a class="button second" href="${booking.icsUrl}">${own.calendar}</a>`}
    ${booking.change === 'open' && html`<a class="button second" href="${booking.path}?do=move&amp;locale=${booking.locale}">${own.move}</a>`}
    ${may && html`<a class="button plain" href="${booking.path}?do=cancel&amp;locale=${booking.locale}">${own.cancel}</a>`}
  </div>`;
}

function askCancel({ path, locale }: ShownBooking, own: PublicTexts['booking']): Html {
  return html`<section class="card" aria-labelledby="ask">
    <h2 id="ask" tabindex="-1" autofocus>${own.cancelAsk}</h2>
    <p>${own.cancelText}</p>
    <div class="actions">
      ${pressed(path, own.cancel, { style: 'danger', values: { _do: 'cancel', locale } })}
      <a class="button plain" href="${path}?locale=${locale}">${own.keep}</a>
    </div>
  </section>`;
}

/** A cancelled booking. */
export function cancelledView(booking: ShownBooking, words: PublicTexts): Html {
  return message({
    mark: cross,
    tone: 'off',
    title: words.booking.cancelled,
    text: words.booking.cancelledText,
    more: html`<div class="card">${facts(whenFacts(booking, words))}</div>`,
  });
}
