import type { Locked, Signing } from '#signatures';
import { attributes, type Html, html } from '../../../platform/http/html.ts';
import { timeInWords } from '../../../platform/time-in-words.ts';
import { facts, message } from '../public/messages.ts';
import { clock } from '../public/marks.ts';
import { fill } from '../public/words/index.ts';
import { documentList, titlesOf } from './documents-view.ts';
import type { SigningWords } from './words/index.ts';

/** The path and language of a signing page. */
/** `zone` is the time zone of the team. */
export type At = { path: string; locale: string; zone: string };

/** A form of the page with the action `act`. */
export function form({ path, locale }: At, act: string, content: Html, more: Readonly<Record<string, string | boolean>> = {}): Html {
  return html`<form method="post" action="${path}" ${attributes(more)}>
    <input type="hidden" name="_do" value="${act}" /><input type="hidden" name="locale" value="${locale}" />${content}
  </form>`;
}

/** A sentence with an e-mail address that does not wrap and keeps its direction. */
function withAddress(sentence: string, email: string): Html {
  const [before = '', after = ''] = sentence.split('{email}');
  return html`${before}<bdi class="address" dir="ltr">${email}</bdi>${after}`;
}

/** The form for a mailed code. `sent`: a code was sent. `error` describes a wrong code. */
export function codeView(
  at: At,
  { maskedEmail: email }: Locked,
  state: { sent: boolean; error?: string | undefined },
  words: SigningWords,
): Html {
  const { code } = words;
  if (!state.sent)
    return html`<div class="intro">
        <h1 tabindex="-1">${code.title}</h1>
        <p class="lead">${withAddress(code.text, email)}</p>
      </div>
      <div class="actions">${form(at, 'send', html`<button class="button">${code.send}</button>`)}</div>`;
  const input = html`<div class="field${state.error === undefined ? '' : ' wrong'}">
    <label class="question" for="code">${code.label}</label>
    ${state.error !== undefined && html`<p class="fault" id="code-fault">${state.error}</p>`}
    <input
      class="input short code"
      id="code"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      maxlength="12"
      required
      dir="ltr"
      ${attributes(state.error === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': 'code-fault' })}
    />
  </div>`;
  return html`<div class="intro">
      <h1 tabindex="-1">${code.title}</h1>
      <p class="lead" role="status">${withAddress(code.sent, email)}</p>
    </div>
    ${form(
      at,
      'check',
      html`${input}
        <div class="actions"><button class="button">${code.check}</button></div>`,
      { novalidate: true },
    )}
    <div class="actions quiet">${form(at, 'send', html`<button class="button plain">${code.again}</button>`)}</div>`;
}

/** The page for a member who must sign in first. `isOther` is true if the browser has the session of another person. */
export function accountView(
  { maskedEmail: email }: Locked,
  { isOther, signIn }: { isOther: boolean; signIn: string },
  { account }: SigningWords,
): Html {
  return message({
    mark: clock,
    title: account.title,
    text: fill(isOther ? account.other : account.text, { email }),
    more: html`<p class="actions"><a class="button" href="${signIn}">${isOther ? account.change : account.signIn}</a></p>`,
  });
}

/** The summary of a request before the document is opened. Opening is a recorded action. */
export function introView(at: At, signing: Signing, team: string, words: SigningWords): Html {
  const approves = signing.signer.role === 'approver';
  const several = signing.documents.length > 1;
  const until = timeInWords(signing.expiresAt, at.locale, at.zone);
  return html`<div class="intro">
      <p class="kicker">${fill(approves ? words.approvalRequested : words.signatureRequested, { team })}</p>
      <h1 tabindex="-1"><bdi>${titlesOf(signing)}</bdi></h1>
      <p class="lead">${several ? (approves ? words.introApproveAll : words.introAll) : approves ? words.introApprove : words.intro}</p>
    </div>
    ${
      signing.message !== undefined &&
      html`<blockquote class="note">
        <p class="soft">${fill(words.messageFrom, { team })}</p>
        <p dir="auto">${signing.message}</p>
      </blockquote>`
    }
    ${facts([
      [words.forName, html`<bdi>${signing.signer.name}</bdi> <span class="soft" dir="ltr">${signing.signer.email}</span>`],
      [words.pagesCount, String(signing.documents.reduce((sum, { pages }) => sum + pages, 0))],
      [words.until, until],
    ])}
    ${documentList(signing, words)} ${signersView(signing, words)}
    <div class="actions">${form(at, 'open', html`<button class="button">${several ? words.openAll : words.open}</button>`)}</div>
    <p class="soft fine">${words.openNote}</p>`;
}

/** The signers of a request, with their status. */
export function signersView(signing: Signing, words: SigningWords): Html | string {
  if (signing.signers.length < 2) return '';
  const states: Readonly<Record<string, string>> = words.states;
  let own = false;
  return html`<section class="signers">
    <h2>${words.who}</h2>
    <ol>
      ${signing.signers.map(({ name, role, status, order }) => {
        // Names can be equal: the first matching entry counts as the reader.
        const you = !own && name === signing.signer.name && order === signing.signer.order && role === signing.signer.role;
        own ||= you;
        return html`<li class="${role !== 'copy' && status === 'signed' ? 'has-signed' : ''}">
          <span><bdi>${name}</bdi>${you && html` <span class="soft">(${words.you})</span>`}</span>
          <span class="state">${role === 'copy' ? words.copy : states[status]}</span>
        </li>`;
      })}
    </ol>
  </section>`;
}
