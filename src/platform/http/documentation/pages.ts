import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dist } from '../../entry-points.ts';

/** A part of a page with its own heading. `text` has no markup. */
export type Section = { title: string; slug: string; text: string };
/** A rendered page. Links to other pages in `markup` begin with {@link pageLink}, because the build does not know the address of the service. */
export type DocPage = { path: string; title: string; markup: string; sections: Section[] };

export const pageLink = 'docs:';

/** The build renders the pages (`scripts/docs-pages.ts`), because a long page takes longer than a request may. */
const folder = join(dist, 'docs');
export const readPages = (): DocPage[] => JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as DocPage[];

/** Returns the files that pages name, such as images, relative to the folder of the documentation. */
export const docFiles = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'pages.json');

export const readDoc = (file: string): Buffer => readFileSync(join(folder, file));
