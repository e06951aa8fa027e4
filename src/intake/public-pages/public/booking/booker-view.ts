import { attributes, type Content, type Html, html } from '../../../../platform/http/html.ts';
import { arrow } from '../marks.ts';
import { fill, type PublicTexts } from '../words/index.ts';
import { type Month, monthBeside, type Slot, writer } from './days.ts';

/** The data to choose a day and a time. */
export type Booker = Month & {
  /** The path of the page. */
  path: string;
  locale: string;
  /** The selected day. */
  day?: string | undefined;
  /** The next free day, if the month has none. */
  nextFree?: string | undefined;
  /** Whether the previous month can have free times, and whether the next one can. */
  earlier: boolean;
  later: boolean;
  /** Whether several people can book one time. The page then shows the remaining places. */
  shared: boolean;
  /** Additional parameters of each address of the page. */
  along?: Readonly<Record<string, string>>;
};

/** A month to choose a day from, and the times of the day. It consists of links and buttons, and works without scripts. */
export function bookerView(booker: Booker, words: PublicTexts): Html {
  return html`<div class="booker" data-booker>
    <div>${calendar(booker, words)} ${zoneChoice(booker, words)}</div>
    <div class="times" id="times" aria-live="polite">${times(booker, words)}</div>
  </div>`;
}

/** Returns the address of the page with the current choices. */
export function addressOf({ path, zone, locale, along }: Booker, chosen: Record<string, string>): string {
  return `${path}?${new URLSearchParams({ ...along, locale, zone, ...chosen }).toString()}`;
}

function calendar(booker: Booker, { booking }: PublicTexts): Html {
  const { month, weeks, locale, zone } = booker;
  const write = writer(locale, zone);
  const turn = (by: 1 | -1, label: string, there: boolean) =>
    there
      ? html`<a href="${addressOf(booker, { month: monthBeside(month, by) })}" aria-label="${label}" data-turn="${by < 0 ? 'back' : 'on'}"
          >${arrow(by < 0 ? 'back' : 'on')}</a
        >`
      : html`<span aria-hidden="true">${arrow(by < 0 ? 'back' : 'on')}</span>`;
  const week = weeks.find((one) => one.every((day) => day !== undefined)) ?? [];
  return html`<div class="month-head">
      <h2 id="month" aria-live="polite">${write.month(month)}</h2>
      ${turn(-1, booking.earlier, booker.earlier)} ${turn(1, booking.later, booker.later)}
    </div>
    <table class="month" aria-labelledby="month">
      <thead>
        <tr>
          ${week.map((day) => weekdayCell(write.weekday(day ?? '')))}
        </tr>
      </thead>
      <tbody>
        ${weeks.map(
          (days) =>
            html`<tr>
              ${days.map((day) => html`<td>${day && dayCell(booker, day, write, booking)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
}

const weekdayCell = ({ short, long }: { short: string; long: string }) =>
  html`<th scope="col"><span aria-hidden="true">${short}</span><span class="apart">${long}</span></th>`;

function dayCell(booker: Booker, day: string, write: ReturnType<typeof writer>, booking: PublicTexts['booking']): Html {
  const number = write.dayNumber(day);
  if (!booker.free.has(day))
    return html`<span class="day"
      ><span aria-hidden="true">${number}</span><span class="apart">${fill(booking.unavailable, { day: write.day(day) })}</span></span
    >`;
  const own = attributes({
    'aria-current': day === booker.day ? 'date' : undefined,
    'aria-label': fill(booking.available, { day: write.day(day) }),
  });
  return html`<a class="day" href="${addressOf(booker, { day })}" ${own}>${number}</a>`;
}

function times(booker: Booker, { booking }: PublicTexts): Content {
  const { day, free, month, nextFree, locale, zone } = booker;
  const write = writer(locale, zone);
  if (day === undefined || !free.has(day)) {
    return html`<p class="soft">${free.size === 0 ? booking.noneMonth : booking.none}</p>
      ${nextFree && html`<p><a class="button second" href="${addressOf(booker, { day: nextFree })}">${booking.nextFree}</a></p>`}`;
  }
  const hidden = { ...booker.along, locale, zone, month };
  return html`<h2>${fill(booking.times, { day: write.day(day) })}</h2>
    <form method="get" action="${booker.path}">
      ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <ul class="slots">
        ${(free.get(day) ?? []).map((slot) => html`<li>${slotButton(slot, booker.shared, write, booking)}</li>`)}
      </ul>
    </form>`;
}

function slotButton({ start, remaining }: Slot, shared: boolean, write: ReturnType<typeof writer>, booking: PublicTexts['booking']): Html {
  const left = shared && remaining !== undefined ? html`<small>${fill(booking.remaining, { count: remaining })}</small>` : '';
  return html`<button class="slot" name="start" value="${start}"><span>${write.time(start)}</span>${left}</button>`;
}

/** The time zone: a list, with a button for browsers without scripts. */
function zoneChoice(booker: Booker, { booking }: PublicTexts): Html {
  const { zone, path, along = {}, locale, month } = booker;
  const zones = zonesWith(zone);
  return html`<form class="zone" method="get" action="${path}" data-zone="${zone}">
    ${Object.entries({ ...along, locale, month }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <label for="zone" class="soft">${booking.zone}</label>
    <div class="row">
      <span class="drop-down"
        ><select name="zone" id="zone">
          ${zones.map((one) => html`<option value="${one}" ${attributes({ selected: one === zone })}>${one.replaceAll('_', ' ')}</option>`)}
        </select></span
      >
      <button class="button second small">${booking.zoneChange}</button>
    </div>
  </form>`;
}

const allZones = Intl.supportedValuesOf('timeZone');

function zonesWith(zone: string): readonly string[] {
  return allZones.includes(zone) ? allZones : [zone, ...allZones];
}
