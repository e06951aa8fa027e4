import type { Signing } from '#signatures';
import { attributes, type Content, type Html, html } from '../../../platform/http/html.ts';
import type { Picture } from '../../../platform/reading/pictures.ts';
import { fill } from '../public/words/index.ts';
import { leafBatchSize } from './leaves.ts';
import type { SigningField } from './sign-view.ts';
import type { SigningWords } from './words/index.ts';

export type ShownLeaves = {
  /** The address of the page without its query, and its language. */
  path: string;
  locale: string;
  signing: Signing;
  /** The position of the document in this view, the number of its first page, and the rendered pages. */
  document: number;
  first: number;
  leaves: ReadonlyMap<number, Picture>;
  /** The link below the pages. */
  next: Content;
};

/** The address of a file or picture of a document. */
export const partOf = (path: string, part: string, document: number): string =>
  `${path}/${part}${document === 0 ? '' : `?document=${document}`}`;

/** The pages of a document as images, with their texts for screen readers, and the fields to fill in. */
export function leavesView({ path, locale, signing, document, first, leaves, next }: ShownLeaves, words: SigningWords): Html {
  const pages = signing.documents[document]?.pages ?? 0;
  const last = Math.min(first + leafBatchSize - 1, pages);
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const to = (page: number, label: string) =>
    html`<a
      class="button second small"
      href="${path}?${new URLSearchParams({ document: String(document), from: String(page), locale }).toString()}"
      >${label}</a
    >`;
  const turning =
    pages > leafBatchSize &&
    html`<nav class="turning" aria-label="${fill(words.pagesShown, { first, last, pages })}">
      ${first > 1 && to(first - leafBatchSize, words.before)}
      <span class="soft">${fill(words.pagesShown, { first, last, pages })}</span>
      ${last < pages && to(last + 1, words.after)}
    </nav>`;
  return html`<div class="leaves">
    ${turning}${numbers.map((number) => leaf(number, { path, signing, document, picture: leaves.get(number) }, words))}${turning}
    <p class="soft"><a href="${partOf(path, 'document.pdf', document)}" download>${words.download}</a></p>
    ${next}
  </div>`;
}

function leaf(
  number: number,
  { path, signing, document, picture }: { path: string; signing: Signing; document: number; picture: Picture | undefined },
  words: SigningWords,
): Html {
  const { pages = 0, pageSizes = [] } = signing.documents[document] ?? {};
  const called = fill(words.page, { page: number, pages });
  if (!picture) return html`<figure class="leaf"><p class="missing">${called}. ${words.noPicture}</p></figure>`;
  const size = pageSizes[number - 1] ?? picture;
  return html`<figure class="leaf" id="page-${number}">
    <div class="sheet">
      <img
        src="${partOf(path, `pages/${number}.webp`, document)}"
        width="${picture.width}"
        height="${picture.height}"
        alt="${called}"
        ${attributes({ loading: number > 2 ? 'lazy' : undefined })}
        decoding="async"
      />
      <svg viewBox="0 0 ${size.width} ${size.height}" aria-hidden="true" focusable="false">
        ${signing.fields.filter((field) => field.document === document && field.page === number).map((field) => place(field, path, words))}
      </svg>
    </div>
    <figcaption>
      <span aria-hidden="true">${called}</span>
      <div class="apart">
        <h3>${fill(words.pageText, { page: number })}</h3>
        <p dir="auto">${picture.text.trim() === '' ? words.noText : picture.text}</p>
      </div>
    </figcaption>
  </figure>`;
}

/** A field on a page with its value. A field of this signer links to its input. */
function place(field: SigningField, path: string, words: SigningWords): Content {
  const { id, kind, x, y, width, height, own, value, drawing } = field;
  const box = (name: string) => html`<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" rx="2" />`;
  const middle = y + height / 2;
  // The same sizes as in the sealed document: typed signatures are larger than other values, and every text fits its field.
  const byHand = kind === 'signature' || kind === 'initials';
  const fitted = (text: string, room: number, most: number) => {
    const size = Math.min(height * 0.62, most);
    return Math.max(3, Math.min(size, (size * (width - room)) / Math.max(widthOf(text, size), 1)));
  };
  if (drawing !== undefined)
    return html`<image
      href="${path}/drawings/${id}.png"
      x="${x}"
      y="${y}"
      width="${width}"
      height="${height}"
      preserveAspectRatio="xMinYMid meet"
    />`;
  if (value === true)
    return html`<path class="ticked" d="M${x + width * 0.2} ${middle}l${width * 0.22} ${height * 0.25}l${width * 0.4} ${-height * 0.5}" />`;
  if (typeof value === 'string')
    return html`<text class="${byHand ? 'hand' : 'put'}" x="${x + 2}" y="${middle}" font-size="${fitted(value, 4, byHand ? 24 : 11)}">
      ${value}
    </text>`;
  if (!own) return value === undefined && box('other');
  const target = kind === 'text' || kind === 'checkbox' || kind === 'initials' ? `#field-${id}` : '#name';
  const label = field.label ?? words.kinds[kind];
  return html`<a href="${target}" tabindex="-1"
    >${box('own')}<text class="label" x="${x + 4}" y="${middle}" font-size="${fitted(label, 8, 13)}">${width > 40 && label}</text></a
  >`;
}

/** Estimates the width of a text. East Asian characters are assumed to be as wide as they are high. */
const widthOf = (text: string, size: number): number =>
  Array.from(text).reduce(
    (sum, one) => sum + (/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/u.test(one) ? 1 : 0.6),
    0,
  ) * size;
