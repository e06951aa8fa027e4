import { type Content, type Html, html } from '../../../platform/http/html.ts';
import { clock, cross, dash, tick } from '../marks.ts';
import { facts, message, pressed } from '../messages.ts';
import type { Words } from '../words/index.ts';
import { writer } from './days.ts';

export type BookingStatus = keyof Words['booking']['status'];

/** A booking as whoever made it sees it. */
export type ShownBooking = {
  path: string;
  title: string;
  start: string;
  end: string;
  zone: string;
  locale: string;
  status: BookingStatus;
  /** Whether it may still be changed, or why not. */
  change: 'open' | 'late' | 'often' | 'over';
  icsUrl?: string | undefined;
};

/** The chosen time over the form that books it. */
export function chosenTime(chosen: { start: string; end: string; zone: string; locale: string; back: string }, { booking }: Words): Html {
  return html`<div class="chosen">
    <div>
      <strong>${writer(chosen.locale, chosen.zone).span(chosen.start, chosen.end)}</strong
      ><span class="soft">${chosen.zone.replaceAll('_', ' ')}</span>
    </div>
    <a href="${chosen.back}">${booking.change}</a>
  </div>`;
}

export function whenFacts(booking: Pick<ShownBooking, 'start' | 'end' | 'zone' | 'locale'>, words: Words): (readonly [string, Content])[] {
  return [
    [words.booking.when, writer(booking.locale, booking.zone).span(booking.start, booking.end)],
    [words.booking.where, booking.zone.replaceAll('_', ' ')],
  ];
}

/** What just became of a booking: made, moved or cancelled. */
export function bookedView(booking: ShownBooking, words: Words, manage?: string): Html {
  const own = words.booking;
  const said: Partial<Record<BookingStatus, { mark: Content; title: string; text: string }>> = {
    confirmed: { mark: tick, title: own.booked, text: own.bookedText },
    pending: { mark: clock, title: own.pending, text: own.pendingText },
    held: { mark: clock, title: own.held, text: own.heldText },
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
      </div>`,
  });
}

/** A booking, with what may be done with it. */
export function manageView(booking: ShownBooking, words: Words, asking: 'nothing' | 'cancel' = 'nothing', notice?: string): Html {
  const own = words.booking;
  const lasts = booking.status === 'confirmed' || booking.status === 'pending' || booking.status === 'held';
  const why = lasts ? { open: undefined, late: own.tooLate, often: own.movedTooOften, over: own.over }[booking.change] : undefined;
  return html`<div class="intro">
      <h1 tabindex="-1">${booking.title}</h1>
    </div>
    ${notice && html`<p class="notice" role="status">${notice}</p>`}
    <div class="card">${facts([...whenFacts(booking, words), [own.yours, own.status[booking.status]]])}</div>
    ${why && html`<p class="notice">${why}</p>`} ${lasts && asking === 'cancel' ? askCancel(booking, own) : lasts && actions(booking, own)}`;
}

function actions(booking: ShownBooking, own: Words['booking']): Html {
  const may = booking.change === 'open' || booking.change === 'often';
  return html`<div class="actions">
    ${booking.icsUrl && html`<a class="button second" href="${booking.icsUrl}">${own.calendar}</a>`}
    ${booking.change === 'open' && html`<a class="button second" href="${booking.path}?do=move">${own.move}</a>`}
    ${may && html`<a class="button plain" href="${booking.path}?do=cancel">${own.cancel}</a>`}
  </div>`;
}

function askCancel({ path }: ShownBooking, own: Words['booking']): Html {
  return html`<section class="card" aria-labelledby="ask">
    <h2 id="ask" tabindex="-1" autofocus>${own.cancelAsk}</h2>
    <p>${own.cancelText}</p>
    <div class="actions">
      ${pressed(path, own.cancel, { style: 'danger', values: { _do: 'cancel' } })}
      <a class="button plain" href="${path}">${own.keep}</a>
    </div>
  </section>`;
}

/** What is left of a booking that was cancelled. */
export function cancelledView(booking: ShownBooking, words: Words): Html {
  return message({
    mark: cross,
    off: true,
    title: words.booking.cancelled,
    text: words.booking.cancelledText,
    more: html`<div class="card">${facts(whenFacts(booking, words))}</div>`,
  });
}
