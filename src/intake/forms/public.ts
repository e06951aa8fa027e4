import { type Availability, slotsOfCalendar } from '#bookings';
import { chooseLocale, jsonSchemaOf, resolveFields, resolveText, type Text, localesOf } from '#fields';
import type { Database } from '../../platform/database/database.ts';
import { yieldToEventLoop } from '../../platform/yield.ts';
import { withDefaults } from './present.ts';
import type { ApiInterface, PublicInterface } from './public-schemas.ts';
import type { Calendar } from './schemas.ts';
import { type Link, requireOpen, visit, type Visited } from './visitor.ts';

/** The requested language: by name, or from the browser. */
export type LanguagePreference = { wanted?: string | undefined; accepted?: string | undefined };
/** The parts of a form that visitors see. */
type VisitedForm = Pick<Visited, 'id' | 'type' | 'definition' | 'calendar'>;
type Reading = { database: Pick<Database, 'publicReader' | 'reader'>; now: Date };

/** The number of questions and options that are translated without yielding. */
const shortForm = 300;

/** Yields to the event loop before showing a long form. */
export async function turnOfForm(team: string, fields: readonly { options?: readonly unknown[] }[]): Promise<void> {
  const length = fields.reduce((sum, { options }) => sum + 1 + (options?.length ?? 0), 0);
  if (length > shortForm) await yieldToEventLoop(team).next();
}

/** Returns the form of a public link in one language. Throws 404 `interface_not_found`, 409 `interface_full`, 410 `interface_closed`. */
export async function publicInterface({ database, now }: Reading, link: Link, preference: LanguagePreference): Promise<PublicInterface> {
  const visited = await visit(database, link);
  requireOpen(visited, now);
  await turnOfForm(visited.team, visited.definition.fields);
  return shownInterface(visited, preference);
}

/** Returns the public data of a form. */
export function shownInterface(visited: VisitedForm, preference: LanguagePreference): PublicInterface {
  const { requireAltcha, uploads, drafts } = withDefaults(visited.definition).config;
  return {
    ...shownOf(visited, preference),
    ...(visited.calendar === null ? {} : { calendar: publicCalendar(visited.calendar) }),
    config: { requireAltcha, uploads, drafts },
  };
}

/**
 * Returns the data for the API channel: no calendar and settings, but the JSON Schema of `data`. Throws the errors of {@link
 * publicInterface}.
 */
export async function apiInterface({ database, now }: Reading, link: Link, preference: LanguagePreference): Promise<ApiInterface> {
  const visited = await visit(database, link);
  requireOpen(visited, now);
  const { fields } = visited.definition;
  await turnOfForm(visited.team, fields);
  const shown = shownOf(visited, preference);
  const jsonSchema = jsonSchemaOf(fields, shown.publicSettings.locale, localesOf(visited.definition)[0]);
  return { ...shown, publicSettings: { ...shown.publicSettings, jsonSchema } };
}

/** Returns the free slots of a public link. Throws 400, 404, 409 `calendar_missing`, `interface_full`, 410. */
export async function freeSlots({ database, now }: Reading, link: Link, range: { from: string; to: string }): Promise<Availability> {
  const visited = await visit(database, link);
  requireOpen(visited, now);
  return slotsOfCalendar({ db: database.reader(visited.team), team: visited.team, now }, visited.id, range);
}

/** Returns the data that both channels show, in one language. */
function shownOf({ id, type, definition }: VisitedForm, preference: LanguagePreference) {
  const locales = localesOf(definition);
  const locale = chooseLocale(preference, locales, locales[0]);
  const { submitLabel, successMessage, ...settings } = withDefaults(definition).publicSettings;
  const inWords = (text: Text) => resolveText(text, locale, locales[0]);
  return {
    id,
    title: inWords(definition.title),
    ...(definition.description === undefined ? {} : { description: inWords(definition.description) }),
    type,
    fields: resolveFields(definition.fields, locale, locales[0]).map(({ default: value, ...field }) =>
      // Only the server uses the value of a hidden field.
      value === undefined || field.type === 'hidden' ? field : { ...field, default: value },
    ),
    publicSettings: {
      ...settings,
      ...(submitLabel === undefined ? {} : { submitLabel: inWords(submitLabel) }),
      ...(successMessage === undefined ? {} : { successMessage: inWords(successMessage) }),
      locale,
    },
  };
}

const publicMembers = ['timeZone', 'durationMin', 'slotIntervalMin', 'minNoticeMin', 'maxDaysAhead'];

function publicCalendar(calendar: Calendar): Calendar {
  return Object.fromEntries(Object.entries(calendar).filter(([member]) => publicMembers.includes(member)));
}
