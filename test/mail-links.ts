import type pg from 'pg';
import { withAddresses } from '../src/platform/mail/compose.ts';

/** Shapes of the links that this process opened. The test opens one link of each shape. */
const opened = new Set<string>();

const unescaped = (markup: string) => markup.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

/** Returns a path without tokens and identifiers. */
const shapeOf = (path: string): string => path.replaceAll(/[\w-]{20,}/g, '*').replace(/[?#].*/, '');

/** Returns the links to the service in the mails of a database, by shape, without calendar files. */
async function mailedLinks(pool: pg.Pool, baseUrl: string): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ html: string }>('SELECT html_body AS html FROM mail_message WHERE html_body IS NOT NULL');
  const links = rows.flatMap(({ html }) =>
    [...withAddresses(html, { baseUrl }).matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => unescaped(href)),
  );
  const paths = links.filter((link) => link.startsWith(baseUrl)).map((link) => link.slice(baseUrl.length));
  return new Map(paths.filter((path) => !path.endsWith('.ics')).map((path) => [shapeOf(path), path]));
}

/** Returns the mailed links that lead to a problem document, an error or the page of an unknown address. Skips a service that does not respond. */
export async function badMailLinks(pool: pg.Pool, { url, baseUrl }: { url: string; baseUrl: string }): Promise<string[]> {
  const bad: string[] = [];
  for (const [shape, path] of await mailedLinks(pool, baseUrl)) {
    if (opened.has(shape)) continue;
    const answer = await fetch(`${url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' }).catch(() => undefined);
    if (!answer) return bad;
    opened.add(shape);
    const text = await answer.text();
    const isPage =
      answer.status === 303 || (answer.headers.get('content-type')?.startsWith('text/html') && !text.includes('Page not found'));
    if (!isPage || answer.status >= 500) bad.push(`${path}: ${answer.status}`);
  }
  return bad;
}
