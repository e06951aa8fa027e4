/** A property of a calendar file with its parameters. */
export type Property = {
  name: string;
  tzid: string | undefined;
  value: string;
  /** For `FREEBUSY`: whether the time is busy. */
  isBusy: boolean;
  /** For `RECURRENCE-ID`: whether the event also replaces all later occurrences. */
  isForAllAfter: boolean;
};

/** A component with the properties that Chancery reads. `text` is its source, for components that another parser reads. */
export type Component = { name: string; properties: Property[]; text: string[] };

export type CalendarPart = { components: Component[]; zones: Component[] };

/** Thrown for a file that cannot be used. The message is for the member who entered the address. */
export class UnusableFile extends Error {}

export class UnreachableFile extends UnusableFile {}

const notACalendar = () => new UnusableFile('is not a calendar file, or is incomplete');

const dates = ['DTSTART', 'DTEND', 'RECURRENCE-ID', 'RDATE', 'EXDATE', 'FREEBUSY'];
const others = ['UID', 'SUMMARY', 'DURATION', 'RRULE', 'TRANSP', 'STATUS', 'X-MICROSOFT-CDO-BUSYSTATUS'];
const wanted: ReadonlySet<string> = new Set([...dates, ...others]);
const withDates: ReadonlySet<string> = new Set(dates);
const read: ReadonlySet<string> = new Set(['VEVENT', 'VFREEBUSY']);

/**
 * Parses the calendars of a file (RFC 5545) line by line. Skips lines that are not properties, because some programs write long texts without folding
 * them. Rejects a file whose last component has no end, because a truncated event would appear as free time.
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
/** Matches a date property. Date values contain no colon, but an unquoted zone name can. */
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

/** Returns the value of the first property with a name. */
export const valueIn = ({ properties }: Component, name: string): string | undefined => properties.find((one) => one.name === name)?.value;
