import { readFileSync } from 'node:fs';

/** A template of the library. A team copies it and changes the copy. */
export type LibraryTemplate = {
  slug: string;
  name: string;
  description: string;
  /** The signers of its signature fields. A test compares them with the rendered example. */
  signers: string[];
  source: string;
  schema: Record<string, unknown>;
};

const listed = [
  [
    'nda',
    'Non-disclosure agreement',
    'A mutual or one-sided agreement between two parties to keep shared information confidential',
    ['disclosing', 'receiving'],
  ],
  [
    'data-processing-agreement',
    'Data processing agreement',
    'Between a controller and a processor under Article 28 GDPR, with its annexes',
    ['controller', 'processor'],
  ],
  ['engagement-letter', 'Engagement letter', 'The services, staff and fees of a firm for a client', ['firm', 'client']],
  ['invoice', 'Invoice', 'Items, value-added tax by rate, and payment details', []],
  [
    'dsar-reply',
    'Reply to a data subject’s request',
    'The reply to an access request under Article 15 GDPR, with the personal data and the purposes of its processing',
    [],
  ],
] as const;

const read = (slug: string, file: string) => readFileSync(new URL(`${slug}/${file}`, import.meta.url), 'utf8');
let loaded: readonly LibraryTemplate[] | undefined;

/** Returns the templates of the library. Their files are read once, at the first call. */
export function library(): readonly LibraryTemplate[] {
  loaded ??= listed.map(([slug, name, description, signers]) => ({
    slug,
    name,
    description,
    signers: [...signers],
    source: read(slug, 'template.typ'),
    schema: JSON.parse(read(slug, 'schema.json')) as Record<string, unknown>,
  }));
  return loaded;
}
