import type { VerificationResult } from '#signatures';
import { type Content, type Html, html } from '../../../../platform/http/html.ts';
import { timeInWords } from '../../../../platform/time-in-words.ts';
import { cross, dash, tick } from '../marks.ts';
import { facts, message } from '../messages.ts';
import { fill } from '../words/index.ts';
import type { SignedFileWords } from './words/index.ts';

type Fact = readonly [string, Content];

/** The form for a signed PDF, with the error of the last file. */
export function signedFileForm(path: string, words: SignedFileWords, error?: string): Html {
  return html`<form method="post" action="${path}" enctype="multipart/form-data">
    <label class="question" for="signed">${words.choose}</label>
    ${error && html`<p class="fault" id="signed-fault">${error}</p>`}
    <div class="drop">
      <input
        type="file"
        id="signed"
        name="file"
        accept="application/pdf"
        required
        aria-describedby="${error ? 'signed-fault' : 'signed-lead'}"
      />
    </div>
    <p class="actions"><button class="button">${words.check}</button></p>
  </form>`;
}

const marks = { valid: tick, modified: cross, invalid: cross, unknown: dash };
const tones = { valid: undefined, modified: 'bad', invalid: 'bad', unknown: 'off' } as const;

/** The result for a signed file: whether it is unchanged, the signers with times, and the limits of the check. */
export function verdictView(path: string, verdict: VerificationResult, words: SignedFileWords, locale: string): Html {
  const { status, reason, signatures, added, request } = verdict;
  const number = new Intl.NumberFormat(locale);
  return message({
    mark: marks[status],
    tone: tones[status],
    ...words.said[reason ?? 'valid'],
    more: html`${request && requestCard(request, words, locale)} ${added && addedCard(added, words, number)}
      ${signatures.length > 0 && html`<h2>${words.signatures}</h2>`}
      ${signatures.map((one, at) => signatureCard(one, at + 1, words, locale))} ${limitsOf(words)}
      <p class="actions"><a class="button second" href="${path}">${words.another}</a></p>`,
  });
}

/** The list with the scope and the limits of the check. */
export function limitsOf(words: SignedFileWords): Html {
  return html`<section class="limits-of-check">
    <h2>${words.limits}</h2>
    <ul>
      ${words.limitsList.map((one) => html`<li>${one}</li>`)}
    </ul>
  </section>`;
}

function addedCard({ bytes, types }: NonNullable<VerificationResult['added']>, words: SignedFileWords, number: Intl.NumberFormat): Html {
  const text = fill(words.addedText, { bytes: number.format(bytes) });
  const kinds = types.length === 0 ? '' : html`<br /><bdi>${fill(words.addedTypes, { types: types.join(', ') })}</bdi>`;
  return html`<div class="card">${facts([[words.added, html`${text}${kinds}`]])}</div>`;
}

function signatureCard(one: VerificationResult['signatures'][number], n: number, words: SignedFileWords, locale: string): Html {
  const { kind, name, issuer, signedAt, covers, status, reason } = one;
  const kept = status === 'valid' && covers === 'part' ? words.validPart : words.results[status];
  const result = reason === undefined ? kept : words.said[reason].title;
  const known: Fact[] = [
    [words.result, result],
    ...(name === undefined ? [] : [[words.by, html`<bdi>${name}</bdi>`] as const]),
    ...(issuer === undefined ? [] : [[words.issuer, html`<bdi>${issuer}</bdi>`] as const]),
    ...(signedAt === undefined ? [] : [[words.at, timeOf(one, signedAt, words, locale)] as const]),
    [words.covers, words[covers]],
  ];
  return html`<section class="card">
    <h3>${fill(words[kind], { n })}</h3>
    ${facts(known)}
  </section>`;
}

/** The signers of a request of this service, from the certificate page of the file. */
function requestCard(
  { title, team, sealedAt, signers }: NonNullable<VerificationResult['request']>,
  words: SignedFileWords,
  locale: string,
): Html {
  const { request } = words;
  const name = (one: (typeof signers)[number]) =>
    html`<bdi>${one.name}</bdi>${one.typedName !== undefined && html` (<bdi>${one.typedName}</bdi>)`}`;
  const signed: Fact[] = signers.map((one) => [
    request.roles[one.role],
    html`${name(one)}<br /><span class="soft">${whole(one.signedAt, locale)}<br />${request.known[one.known]}</span>`,
  ]);
  return html`<h2>${request.title}</h2>
    <section class="card">
      ${facts([
        [request.document, html`<bdi>${title}</bdi>`],
        [request.team, html`<bdi>${team}</bdi>`],
        ...signed,
        [request.sealedAt, whole(sealedAt, locale)],
      ])}
    </section>`;
}

const whole = (at: string, locale: string): string => timeInWords(at, locale, 'UTC');

/** Returns the time of a signature. A timestamp comes from an authority; the time of a signature comes from the file. */
function timeOf({ kind }: VerificationResult['signatures'][number], at: string, words: SignedFileWords, locale: string): string {
  return fill(kind === 'timestamp' ? words.atVouched : words.atSaid, { time: whole(at, locale) });
}
