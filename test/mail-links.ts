import type pg from 'pg';
import { mailAddresses, withAddresses } from '../src/platform/mail/compose.ts';

/** Shapes of the links that this process opened. The test opens one link of each shape. */
const opened = new Set<string>();

const unescaped = (markup: string) => markup.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

/** Returns a path without tokens and identifiers. */
const shapeOf = (path: string): string => path.replaceAll(/[\w-]{20,}/g, '*').replace(/[?#].*/, '');

/** Returns the links to the service in the mails of a database, by shape, without calendar files. */
async function mailedLinks(pool: pg.Pool, baseUrl: string): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ html: string }>('SELECT html_body AS html FROM mail_message WHERE html_body IS NOT NULL');
  const links = rows.flatMap(({ html }) =>
    [...withAddresses(html, mailAddresses({ BASE_URL: baseUrl })).matchAll(/<a\s[^>]*href="([^"]*)"/g)].map(([, href = '']) =>
      unescaped(href),
    ),
  );
  const paths = links.filter((link) => link.startsWith(baseUrl)).map((link) => link.slice(baseUrl.length));
  return new Map(paths.filter((path) => !path.endsWith('.ics')).map((path) => [shapeOf(path), path]));
}

/** Whether an address leads to a page: not to a problem document, an error or the page of an unknown address. Undefined without a response. */
export async function isPage(url: string): Promise<boolean | undefined> {
  const answer = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' }).catch(() => undefined);
  if (!answer) return undefined;
  const text = await answer.text();
  if (answer.status === 303) return true;
  return answer.status < 500 && answer.headers.get('content-type')?.startsWith('text/html') === true && !text.includes('Page not found');
}

/** Returns the mailed links that lead to no page. Skips a service that does not respond. */
export async function badMailLinks(pool: pg.Pool, { url, baseUrl }: { url: string; baseUrl: string }): Promise<string[]> {
  const bad: string[] = [];
  for (const [shape, path] of await mailedLinks(pool, baseUrl)) {
    if (opened.has(shape)) continue;
    const leadsToPage = await isPage(`${url}${path}`);
    if (leadsToPage === undefined) return bad;
    opened.add(shape);
    if (!leadsToPage) bad.push(path);
  }
  return bad;
}
