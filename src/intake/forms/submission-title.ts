import { resolveText, localesOf } from '#fields';
import { firstCharacters } from '../../platform/text.ts';
import type { Definition } from './schemas.ts';

type Titled = { definition: Pick<Definition, 'title' | 'publicSettings'>; at: Date; id: string };

/**
 * Returns the name of a document or workflow of a submission. It contains no answers, because more people can read titles. `called`
 * replaces the title of the form.
 */
export function titleOf({ definition: { title, publicSettings }, at, id }: Titled, called?: string): string {
  const [locale] = localesOf({ publicSettings });
  const when = at.toISOString().slice(0, 16).replace('T', ' ');
  const name = (called ?? resolveText(title, locale, locale)).replaceAll('/', '-').replaceAll(/\s+/g, ' ');
  return `${firstCharacters(name, 200)}, ${when}, ${id.slice(-8)}`;
}
