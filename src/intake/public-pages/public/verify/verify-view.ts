import { attributes, type Content, type Html, html } from '../../../../platform/http/html.ts';
import { clock, cross, dash, tick } from '../marks.ts';
import { facts, message } from '../messages.ts';
import type { PublicTexts } from '../words/index.ts';

/** The result for a verification code, and for a compared file. */
export type VerificationView = {
  code: string;
  state: 'exists' | 'genuine' | 'altered' | 'withdrawn' | 'unknown';
  issuer?: string | undefined;
  /** The time of issue, formatted for the language of the page. */
  issuedAt?: string | undefined;
};

/** Adds the language in the current address to a link. */
export const onward = (path: string, locale: string | undefined): string => (locale === undefined ? path : `${path}?locale=${locale}`);

/** The form for a verification code. `locale` is the language in the address. */
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

/** The result for a code and optionally a file. */
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

/** The form to compare a file. With scripts only its SHA-256 is sent. */
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
