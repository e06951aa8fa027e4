import { attributes, type Content, type Html, html } from '../../../../platform/http/html.ts';
import { clock, cross, dash, tick } from '../marks.ts';
import { facts, message } from '../messages.ts';
import type { PublicTexts } from '../words/index.ts';

/** What is known of a verification code, and of the file that was compared with it. */
export type VerificationView = {
  code: string;
  state: 'exists' | 'genuine' | 'altered' | 'withdrawn' | 'unknown';
  issuer?: string | undefined;
  /** When the document was made, as it is written in the page's language. */
  issuedAt?: string | undefined;
};

/** A page of these that another leads to, in the language that the address of that one asked for, if it did. */
export const onward = (path: string, locale: string | undefined): string => (locale === undefined ? path : `${path}?locale=${locale}`);

/** Asks for a code; `asked` is the language that the address names. */
export function codeView(path: string, { verify }: PublicTexts, locale?: string): Html {
  return html`<p id="code-lead">${verify.intro}</p>
    <form method="get" action="${path}">
      ${locale && html`<input type="hidden" name="locale" value="${locale}" />`}
      <label class="question" for="code">${verify.code}</label>
      <input
        class="input"
        id="code"
        name="code"
        required
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        maxlength="60"
        aria-describedby="code-lead"
      />
      <p class="actions"><button class="button second">${verify.look}</button></p>
    </form>`;
}

const marks = { exists: clock, genuine: tick, altered: cross, withdrawn: dash, unknown: dash };
const tones = { exists: undefined, genuine: undefined, altered: 'bad', withdrawn: 'off', unknown: 'off' } as const;

/** What a code, and a file beside it, tell. */
export function verifiedView(path: string, verified: VerificationView, words: PublicTexts, locale?: string): Html {
  const { verify } = words;
  const said: Record<VerificationView['state'], { title: string; text: string }> = {
    exists: { title: verify.found, text: verify.fileIntro },
    genuine: { title: verify.genuine, text: verify.genuineText },
    altered: { title: verify.altered, text: verify.alteredText },
    withdrawn: { title: verify.withdrawn, text: verify.withdrawnText },
    unknown: { title: verify.unknown, text: verify.unknownText },
  };
  const { state, code, issuer, issuedAt } = verified;
  const known: (readonly [string, Content])[] = [
    [verify.code, html`<code>${code}</code>`],
    ...(issuer === undefined ? [] : [[verify.issuer, issuer] as const]),
    ...(issuedAt === undefined ? [] : [[verify.issuedAt, issuedAt] as const]),
  ];
  const compares = state === 'exists' || state === 'genuine' || state === 'altered';
  return message({
    mark: marks[state],
    tone: tones[state],
    ...said[state],
    more: html`<div class="card">${facts(known)}</div>
      ${compares && compareForm(onward(`${path}/${encodeURIComponent(code)}`, locale), words, state !== 'exists')}
      <p class="actions"><a class="button plain" href="${onward(path, locale)}">${verify.another}</a></p>`,
  });
}

/** Takes a file to compare. With scripts its fingerprint alone is sent. */
function compareForm(action: string, { verify }: PublicTexts, again: boolean): Html {
  return html`<form class="compare" method="post" action="${action}" enctype="multipart/form-data" data-compare>
    <label class="question" for="file">${verify.drop}</label>
    <div class="drop">
      <input type="file" id="file" name="file" accept="application/pdf" aria-describedby="kept" ${attributes({ required: true })} />
    </div>
    <p class="count" id="kept" data-private="${verify.private}">${verify.sent}</p>
    <p class="actions"><button class="button${again ? ' second' : ''}">${verify.compare}</button></p>
  </form>`;
}
