import type { Signing } from '#signatures';
import { attributes, type Html, html } from '../../../platform/http/html.ts';
import { fill } from '../public/words/index.ts';
import type { SigningWords } from './words/index.ts';

type PageAddress = { path: string; locale: string };

const pathTo = ({ path, locale }: PageAddress, document: number): string =>
  `${path}?${new URLSearchParams({ document: String(document), locale }).toString()}`;

/** The title of a request: that of its first document, with the number of the others. */
export const titlesOf = ({ documents: [first, ...others] }: Signing): string =>
  `${first?.title ?? ''}${others.length === 0 ? '' : ` (+${others.length})`}`;

/** The documents of a request with several, as links. Each says whether the reader signs it or only reads it. */
export function documentsNav(at: PageAddress, { documents }: Signing, shown: number, words: SigningWords): Html | string {
  if (documents.length < 2) return '';
  return html`<nav class="envelope" aria-labelledby="envelope-title">
    <p id="envelope-title">${fill(words.documentOf, { document: shown + 1, documents: documents.length })}</p>
    <ol>
      ${documents.map(
        ({ title, signs }, place) =>
          html`<li>
            <a href="${pathTo(at, place)}" ${attributes({ 'aria-current': place === shown ? 'page' : undefined })}><bdi>${title}</bdi></a>
            ${!signs && html`<span class="soft">(${words.readOnly})</span>`}
          </li>`,
      )}
    </ol>
  </nav>`;
}

/** The link to the next document, or after the last to the signature. */
export function nextDocument(at: PageAddress, { documents, signer }: Signing, shown: number, words: SigningWords): Html | string {
  if (documents.length < 2) return '';
  const next = documents[shown + 1];
  const [to, label] = next
    ? [pathTo(at, shown + 1), fill(words.nextDocument, { title: next.title })]
    : ['#sign', signer.role === 'approver' ? words.toApprove : words.toSign];
  return html`<p class="next-document"><a class="button second" href="${to}">${label}</a></p>`;
}

/** The documents of a request with several, in a list with their numbers of pages. */
export function documentList({ documents }: Signing, words: SigningWords): Html | string {
  if (documents.length < 2) return '';
  return html`<section class="envelope">
    <h2>${words.documents}</h2>
    <ol>
      ${documents.map(
        ({ title, pages, signs }) =>
          html`<li><bdi>${title}</bdi> <span class="soft">${fill(words.pagesOf, { pages })}${!signs && ` (${words.readOnly})`}</span></li>`,
      )}
    </ol>
  </section>`;
}
