import { chooseLocale, localesOf } from '#fields';
import type { Suggest, Suggestion } from '#address-suggestions';
import type { Database } from '../../platform/database/database.ts';
import { spendOne } from '../../platform/limits/spend.ts';
import { Problem, problems } from '../../platform/problems.ts';
import { interfaceProblems } from './problems.ts';
import type { LanguagePreference } from './public.ts';
import { type Link, requireOpen, visit } from './visitor.ts';

type Suggesting = { database: Database; now: Date; suggest: Suggest };

const fewestLetters = 2;
const usualCount = 5;

/**
 * Suggests places for the text in an `address` field. Throws 404 `interface_not_found`, `suggestions_disabled`, 409 `interface_full`,
 * 410, and 429 if the team has used up its limit at the provider.
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
    throw interfaceProblems.suggestions_disabled('This form has no address field, so it has no suggestions.');
  const text = q
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (Array.from(text).length < fewestLetters) return [];
  const locales = localesOf(definition);
  const spend = () => withoutNames(() => database.inTeam(team, (tx) => spendOne(tx, team, 'suggestions')));
  return suggest({ text, count, locale: chooseLocale(preference, locales, locales[0]) }, { spend });
}

/** Replaces the error about the limit of the team by the time to wait, because visitors must not see the limit. */
async function withoutNames(spend: () => Promise<void>): Promise<void> {
  try {
    await spend();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error;
    const wait = error.headers['retry-after'] ?? '60';
    throw problems.rate_limited(`The limit of suggestions is reached. Type the complete address, or wait ${wait} seconds.`, {
      headers: { 'retry-after': wait },
    });
  }
}
