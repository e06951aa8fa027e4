import { chooseLocale } from '#fields';
import type { Suggest, Suggestion } from '#address-suggestions';
import type { Database } from '../../platform/database/database.ts';
import { spendOne } from '../../platform/limits/spend.ts';
import { Problem, problems } from '../../platform/problems.ts';
import { localesOf } from './definition.ts';
import { interfaceProblems } from './problems.ts';
import type { LanguagePreference } from './public.ts';
import { type Link, requireOpen, visit } from './visitor.ts';

type Suggesting = { database: Database; now: Date; suggest: Suggest };

const fewestLetters = 2;
const usualCount = 5;

/**
 * Places for what a visitor has typed into a field for an address. Errors: 404 `interface_not_found`, `suggestions_disabled`, 409
 * `interface_full`, 410, 429 where the team has asked its provider as much as it may.
 */
export async function suggestPlaces(
  { database, now, suggest }: Suggesting,
  link: Link,
  { q = '', count = usualCount, ...preference }: { q?: string | undefined; count?: number | undefined } & LanguagePreference,
): Promise<readonly Suggestion[]> {
  const visited = await visit(database, link);
  requireOpen(visited, now);
  const { team, definition } = visited;
  if (!definition.fields.some(({ type }) => type === 'address'))
    throw interfaceProblems.suggestions_disabled('This form asks for no address, so there is nothing to suggest.');
  const text = q
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (Array.from(text).length < fewestLetters) return [];
  const locales = localesOf(definition);
  const spend = () => withoutNames(() => database.inTeam(team, (tx) => spendOne(tx, team, 'suggestions')));
  return suggest({ text, count, locale: chooseLocale(preference, locales, locales[0]) }, { spend });
}

/** Visitors are told how long to wait, and neither what the team has used up nor who could give it more. */
async function withoutNames(spend: () => Promise<void>): Promise<void> {
  try {
    await spend();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error;
    const wait = error.headers['retry-after'] ?? '60';
    throw problems.rate_limited(`There are no more suggestions for now. Type the address in full, or wait ${wait} seconds.`, {
      headers: { 'retry-after': wait },
    });
  }
}
