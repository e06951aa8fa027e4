import type pg from 'pg';
import { withServiceAddress } from '../src/platform/mail/compose.ts';

/** Shapes of links that this process has opened. One link of a shape is enough. */
const opened = new Set<string>();

const unescaped = (markup: string) => markup.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

/** A path without its tokens and identifiers. */
const shapeOf = (path: string): string => path.replaceAll(/[\w-]{20,}/g, '*').replace(/[?#].*/, '');

/** The links to the service in the mails of a database, by shape. Calendar files are no pages. */
async function mailedLinks(pool: pg.Pool, baseUrl: string): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ html: string }>('SELECT html_body AS html FROM mail_message WHERE html_body IS NOT NULL');
  const links = rows.flatMap(({ html }) =>
    [...withServiceAddress(html, baseUrl).matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => unescaped(href)),
  );
  const paths = links.filter((link) => link.startsWith(baseUrl)).map((link) => link.slice(baseUrl.length));
  return new Map(paths.filter((path) => !path.endsWith('.ics')).map((path) => [shapeOf(path), path]));
}

/**
 * The mailed links without a page: they answer a problem document, a failure, or the page of an unknown address. A service that does not
 * respond is left out.
 */
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
