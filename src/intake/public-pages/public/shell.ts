import { randomBytes } from 'node:crypto';
import { attributes, type Content, type Html, html, verbatim } from '../../../platform/http/html.ts';
import { accentOf } from '#forms';
import { initial } from './marks.ts';
import { directionOf, wordsFor } from './words/index.ts';

/** The brand of a page. */
export type Brand = { name: string; logo?: string; colour?: string };

export type PublicPage = {
  /** The language of the content. */
  locale: string;
  title: string;
  body: Html;
  brand: Brand;
  /** The path of the page. */
  path: string;
  theme?: 'auto' | 'light' | 'dark';
  /** Whether the page is wide enough for two columns. */
  wide?: boolean;
  /** Other languages of the page: buttons of the form, or links if there is no form. The links keep `query`. */
  languages?: { locales: readonly string[]; form: boolean; query?: Readonly<Record<string, string>> };
  /** The script of the page. */
  script?: 'page';
  /** Sites that may embed the page in a frame. */
  framedBy?: readonly string[];
  /** The address to report the page. */
  report?: string;
  /** Whether the proof-of-work widget may run. */
  proof?: boolean;
  /** A path of this service that a browser without scripts opens automatically. */
  goTo?: string;
  /**
   * Whether a script inserts the page into another page of the service. That page already has the style of the team, and its policy allows no other
   * style.
   */
  isPart?: boolean;
  /** Whether other pages of this service get the address of this page in `Referer`. */
  sendsReferer?: boolean;
};

export type Assets = { href: (name: 'page.css' | 'page.js' | 'icon.svg') => string };

/** Builds a complete page, and a content security policy that allows only its parts. */
export function documentOf(
  page: PublicPage,
  assets: Assets,
  nonce = randomBytes(16).toString('base64'),
): { markup: string; policy: string } {
  const { language, words } = wordsFor(page.locale);
  const accent = page.brand.colour === undefined ? undefined : accentOf(page.brand.colour);
  const own =
    accent && `:root{--accent:light-dark(${accent.light},${accent.dark});--on-accent:light-dark(${accent.onLight},${accent.onDark})}`;
  const head = html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex, nofollow" />
    <meta name="color-scheme" content="light dark" />
    <title>${page.title}</title>
    ${page.goTo !== undefined && html`<noscript><meta http-equiv="refresh" content="0; url=${page.goTo}" /></noscript>`}
    <link rel="icon" type="image/svg+xml" href="${assets.href('icon.svg')}" />
    <link rel="stylesheet" href="${assets.href('page.css')}" nonce="${nonce}" />
    ${own && !page.isPart && verbatim('style', ` nonce="${nonce}"`, own)}
    ${page.script && html`<script type="module" src="${assets.href('page.js')}" nonce="${nonce}"></script>`}`;
  const document = html`<!doctype html>
    <html
      lang="${page.locale}"
      dir="${directionOf(page.locale)}"
      ${attributes({ 'data-theme': page.theme === 'auto' ? undefined : page.theme })}
    >
      <head>
        ${head}
      </head>
      <body ${attributes({ class: page.wide ? 'wide' : undefined })}>
        <header class="masthead">
          <div class="brand">${brandOf(page.brand)}</div>
          ${languagesOf(page, words.language)}
        </header>
        <main>${page.body}</main>
        <footer class="colophon" ${attributes({ lang: language, dir: directionOf(language) })}>
          <span>${words.madeWith}</span>
          ${page.report && html`<a href="${page.report}" ${attributes(page.framedBy?.length ? { target: '_blank', rel: 'noopener' } : {})}>${words.report}</a>`}
        </footer>
      </body>
    </html>`;
  return { markup: document.markup, policy: policyOf(page, nonce) };
}

function brandOf({ name, logo }: Brand): Content {
  if (logo !== undefined) return html`<img src="${logo}" alt="${name}" />`;
  return html`${initial(name)}<span>${name}</span>`;
}

function languagesOf({ languages, locale, path }: PublicPage, label: string): Content {
  if (!languages || languages.locales.length < 2) return '';
  const items = languages.locales.map((one) => {
    const own = attributes({ lang: one, dir: directionOf(one), 'aria-current': one === locale ? 'true' : undefined });
    return languages.form
      ? html`<button form="form" name="_to" value="${one}" ${own}>${nameOf(one)}</button>`
      : html`<a href="${path}?${new URLSearchParams({ ...languages.query, locale: one }).toString()}" ${own}>${nameOf(one)}</a>`;
  });
  // Enter presses the first button of a form, so a default button comes before the language buttons.
  const first =
    languages.form && html`<button class="default" form="form" name="_go" value="on" tabindex="-1" aria-hidden="true"></button>`;
  return html`${first}
    <details class="languages">
      <summary><span class="apart">${label}: </span>${nameOf(locale)}</summary>
      <div class="menu">${items}</div>
    </details>`;
}

/** Returns the name of a language in that language. */
function nameOf(locale: string): string {
  try {
    const name = new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale;
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  } catch {
    return locale;
  }
}

function policyOf({ framedBy = [], proof, script }: PublicPage, nonce: string): string {
  // Another character could end the directive.
  const sites = framedBy.filter((site) => /^https:\/\/[a-z\d.:[\]-]+$/i.test(site));
  const directives = [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    `img-src 'self'${script ? ' blob:' : ''}`,
    ...(script ? [`script-src 'nonce-${nonce}'`, `connect-src 'self'`, `require-trusted-types-for 'script'`] : []),
    ...(proof ? [`worker-src 'self'`] : []),
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors ${sites.length > 0 ? sites.join(' ') : "'none'"}`,
  ];
  return directives.join('; ');
}
