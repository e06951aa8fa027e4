import MiniSearch from 'minisearch';
import { yieldToEventLoop } from '../../yield.ts';
import type { DocPage } from './pages.ts';

/** A section that answers a search. `excerpt` begins near the first word that was found. */
export type FoundSection = { path: string; slug: string; page: string; title: string; excerpt: string };
export type DocSearch = (query: string) => FoundSection[];

const maxResults = 20;
const excerptLength = 220;

/** Returns a search over the sections of pages. Words match from their start, and with one error in four letters. */
export async function searchOver(pages: Iterable<DocPage>): Promise<DocSearch> {
  const index = new MiniSearch<{ id: number; page: string; title: string; text: string }>({
    fields: ['title', 'page', 'text'],
    searchOptions: { boost: { title: 3, page: 2 }, prefix: true, fuzzy: 0.25, combineWith: 'AND' },
  });
  const sections: (FoundSection & { text: string })[] = [];
  const work = yieldToEventLoop();
  for (const { path, title: page, sections: parts } of pages)
    for (const { title, slug, text } of parts) {
      if (work.over) await work.next();
      index.add({ id: sections.length, page, title, text });
      sections.push({ path, slug, page, title, text, excerpt: '' });
    }
  return (query) =>
    index
      .search(query)
      .slice(0, maxResults)
      .flatMap(({ id, terms }) => {
        const { text, ...section } = sections[Number(id)] ?? { text: '' };
        return 'path' in section ? [{ ...section, excerpt: excerptOf(text, terms) }] : [];
      });
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const start = places.length === 0 ? 0 : lower.lastIndexOf(' ', Math.max(0, Math.min(...places) - 60)) + 1;
  const isCut = text.length > start + excerptLength;
  const part = text.slice(start, isCut ? text.lastIndexOf(' ', start + excerptLength) : undefined);
  return `${start > 0 ? '… ' : ''}${part}${isCut ? ' …' : ''}`;
}
