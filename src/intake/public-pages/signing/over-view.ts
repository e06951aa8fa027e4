import type { Signing, SigningForPages } from '#signatures';
import { type Html, html } from '../../../platform/http/html.ts';
import type { Problem } from '../../../platform/problems.ts';
import { clock, cross, dash, tick } from '../public/marks.ts';
import { facts, message } from '../public/messages.ts';
import { fill } from '../public/words/index.ts';
import { type At, signersView } from './gate-view.ts';
import { partOf } from './leaf-view.ts';
import type { SigningWords } from './words/index.ts';

/** The page for a signer who cannot sign now; undefined if the signer can sign. */
export function waitingView({ path, locale }: At, signing: Signing, base: string, words: SigningWords): Html | undefined {
  const { status, signer } = signing;
  const again = html`<p class="actions"><a class="button second" href="${path}?locale=${locale}">${words.signed.look}</a></p>`;
  if (status === 'completed')
    return message({
      mark: tick,
      ...words.done,
      ...(signing.documents.length > 1 ? words.doneAll : {}),
      more: html`${signing.sealed && signing.documents.length > 1 && downloads(path, signing, words)}${
        signing.sealed &&
        html`<p class="actions">
          ${signing.documents.length < 2 && html`<a class="button" href="${path}/sealed.pdf" download>${words.done.download}</a>`}
          <a class="button plain" href="${base}/verify">${words.done.verify}</a>
        </p>`
      }${signersView(signing, words)}`,
    });
  if (status === 'failed') return message({ mark: dash, tone: 'off', ...words.failed });
  if (status === 'preparing') return message({ mark: clock, ...words.preparing, more: again });
  if (signer.role === 'copy') return message({ mark: clock, ...words.copied });
  if (signer.status === 'signed' || status === 'sealing') {
    const title = signer.role === 'approver' ? words.signed.approved : words.signed.title;
    const text = status === 'sealing' ? words.signed.sealing : words.signed.text;
    return message({ mark: tick, title, text, more: html`${signersView(signing, words)}${status === 'sealing' && again}` });
  }
  if (signer.status === 'waiting') return message({ mark: clock, ...words.turn, more: signersView(signing, words) });
  return undefined;
}

/** A link to each sealed file. */
const downloads = (path: string, { documents }: Signing, words: SigningWords): Html =>
  html`<ul class="files">
    ${documents.map(
      ({ title }, at) => html`<li><a href="${partOf(path, 'sealed.pdf', at)}" download>${fill(words.downloadSealed, { title })}</a></li>`,
    )}
  </ul>`;

function voidedFacts(
  { title, reason, contact }: NonNullable<Parameters<typeof refusedView>[2]>,
  { voidedFacts: named }: SigningWords,
): Html {
  const entries: (readonly [string, Html])[] = [
    [named.title, html`<bdi>${title}</bdi>`],
    ...(reason === undefined ? [] : [[named.reason, html`<span dir="auto">${reason}</span>`] as const]),
    ...(contact === undefined
      ? []
      : [[named.contact, html`<bdi>${contact.name}</bdi> <a href="mailto:${contact.email}" dir="ltr">${contact.email}</a>`] as const]),
  ];
  return html`<div class="card">${facts(entries)}</div>`;
}

/** The page for an error of the complete request; undefined for other errors. */
export function refusedView(
  { code, members }: Pick<Problem, 'code' | 'members'>,
  words: SigningWords,
  voided: Awaited<ReturnType<SigningForPages['requestOrigin']>>['voided'],
): Html | undefined {
  const ended = words.ended[members.requestStatus as keyof SigningWords['ended']];
  const said: Readonly<Record<string, Html>> = {
    signing_closed: message({ mark: dash, tone: 'off', ...(ended ?? words.over), more: voided && voidedFacts(voided, words) }),
    signing_link_not_found: message({ mark: cross, tone: 'off', ...words.gone }),
    request_suspended: message({ mark: clock, tone: 'off', ...words.suspended }),
    request_paused: message({ mark: clock, tone: 'off', ...words.paused }),
    request_preparing: message({ mark: clock, ...words.preparing }),
    not_your_turn: message({ mark: clock, ...words.turn }),
    code_locked: message({ mark: dash, tone: 'off', ...words.noMore }),
    sealed_not_ready: message({ mark: clock, title: words.signed.title, text: words.signed.text }),
    unavailable: message({ mark: clock, ...words.busy }),
  };
  return said[code];
}
