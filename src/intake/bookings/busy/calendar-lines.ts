/** A property of a calendar file, with what its parameters say. */
export type Property = {
  name: string;
  tzid: string | undefined;
  value: string;
  /** Of `FREEBUSY`: the time is not free. */
  isBusy: boolean;
  /** Of `RECURRENCE-ID`: the event replaces all later occurrences too. */
  isForAllAfter: boolean;
};

/** A component with the properties that Chancery reads. `text` is its source, if another parser reads it. */
export type Component = { name: string; properties: Property[]; text: string[] };

/** One calendar of a file. */
export type CalendarPart = { components: Component[]; zones: Component[] };

/** A file that cannot be used; the message is for who named its address. */
export class UnusableFile extends Error {}

/** A file that could not be fetched this time. */
export class UnreachableFile extends UnusableFile {}

const notACalendar = () => new UnusableFile('is no calendar file, or is cut off');

const dates = ['DTSTART', 'DTEND', 'RECURRENCE-ID', 'RDATE', 'EXDATE', 'FREEBUSY'];
const others = ['UID', 'SUMMARY', 'DURATION', 'RRULE', 'TRANSP', 'STATUS', 'X-MICROSOFT-CDO-BUSYSTATUS'];
const wanted: ReadonlySet<string> = new Set([...dates, ...others]);
const withDates: ReadonlySet<string> = new Set(dates);
const read: ReadonlySet<string> = new Set(['VEVENT', 'VFREEBUSY']);

/**
 * The calendars of a file (RFC 5545), line by line. Lines that are no properties are left out: programs write texts without folding them. A file
 * whose last component does not end is refused: an event that is missing would be free.
 */
export function calendarsIn(text: string): CalendarPart[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r\n|\n|\r/);
  const calendars: CalendarPart[] = [];
  const open: Component[] = [];
  for (const line of lines) {
    const zone = open.find(({ name }) => name === 'VTIMEZONE');
    zone?.text.push(line);
    const [, begun] = /^BEGIN:([\w-]+)\s*$/i.exec(line) ?? [];
    const [, ended] = /^END:([\w-]+)\s*$/i.exec(line) ?? [];
    const [calendar, component] = [calendars.at(-1), open.at(-1)];
    if (begun !== undefined) {
      const name = begun.toUpperCase();
      if ((name === 'VCALENDAR') !== (open.length === 0)) throw notACalendar();
      if (name === 'VCALENDAR') calendars.push({ components: [], zones: [] });
      open.push({ name, properties: [], text: name === 'VTIMEZONE' ? [line] : [] });
    } else if (ended !== undefined) {
      const at = open.findLastIndex(({ name }) => name === ended.toUpperCase());
      const closed = open[at];
      if (!closed) throw notACalendar();
      open.length = at;
      if (read.has(closed.name) && at === 1) calendar?.components.push(closed);
      if (closed.name === 'VTIMEZONE') calendar?.zones.push(closed);
    } else if (component === undefined) {
      if (line.trim() !== '') throw notACalendar();
    } else if (read.has(component.name)) {
      const property = propertyOf(line);
      if (property) component.properties.push(property);
    }
  }
  if (open.length > 0 || calendars.length === 0) throw notACalendar();
  return calendars;
}

const anyProperty = /^([A-Za-z][A-Za-z0-9-]*)((?:;(?:[^":]|"[^"]*")*)?):(.*)$/s;
/** Values of dates have no colon: a zone may have one that is not quoted. */
const dateProperty = /^([A-Za-z][A-Za-z-]*)(;.*)?:([^:]*)$/s;

function propertyOf(line: string): Property | undefined {
  const name = /^[A-Za-z][A-Za-z0-9-]*/.exec(line)?.[0].toUpperCase() ?? '';
  if (!wanted.has(name)) return undefined;
  const [, , parameters = '', value = ''] = (withDates.has(name) ? dateProperty : anyProperty).exec(line) ?? [];
  const [, quoted, plain] = /;TZID=(?:"([^"]*)"|([^;]*))/i.exec(parameters) ?? [];
  return {
    name,
    tzid: quoted ?? plain,
    value: value.trim(),
    isBusy: !/;FBTYPE=FREE(?:;|$)/i.test(parameters),
    isForAllAfter: /;RANGE=THISANDFUTURE(?:;|$)/i.test(parameters),
  };
}

/** The value of the first property of a name. */
export const valueIn = ({ properties }: Component, name: string): string | undefined => properties.find((one) => one.name === name)?.value;
