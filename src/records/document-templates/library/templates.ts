import { readFileSync } from 'node:fs';

/** A template that comes along. It is copied into a team and changed there. */
export type LibraryTemplate = { slug: string; name: string; description: string; source: string; schema: Record<string, unknown> };

const listed = [
  ['nda', 'Non-disclosure agreement', 'A mutual or one-sided agreement between two parties to keep confidential what they tell each other'],
  [
    'data-processing-agreement',
    'Data processing agreement',
    'Between a controller and a processor under Article 28 GDPR, with its annexes',
  ],
  ['engagement-letter', 'Engagement letter', 'What a firm does for a client, by whom and for what fee'],
  ['invoice', 'Invoice', 'Items, value-added tax by rate, and how to pay'],
  [
    'dsar-reply',
    'Reply to a data subject’s request',
    'The answer to a request for access under Article 15 GDPR, with what is kept of whom and why',
  ],
] as const;

const read = (slug: string, file: string) => readFileSync(new URL(`${slug}/${file}`, import.meta.url), 'utf8');
let loaded: readonly LibraryTemplate[] | undefined;

/** The templates that come along; read when they are first asked for. */
export function library(): readonly LibraryTemplate[] {
  loaded ??= listed.map(([slug, name, description]) => ({
    slug,
    name,
    description,
    source: read(slug, 'template.typ'),
    schema: JSON.parse(read(slug, 'schema.json')) as Record<string, unknown>,
  }));
  return loaded;
}
