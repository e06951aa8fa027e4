import { attributes, type Content, type Html, html, jsonBlock } from '../../platform/http/html.ts';
import { clock } from '../public/marks.ts';
import { message } from '../public/messages.ts';
import type { AppWords } from './words/index.ts';

/** The sign-in page in a language, with the page it leads to. `path` is where its forms are sent. */
export type SignInAt = { path: string; base: string; operations: string; next: string; locale: string; words: AppWords };

/** What the person typed, and what is wrong with it by the names of the fields; `alert` is what is wrong with the whole. */
export type SignInDraft = { email?: string; faults?: Readonly<Record<string, string>>; alert?: string; notice?: string };

type Field = { name: string; label: string; autocomplete: string; type?: string; value?: string | undefined; fault?: string | undefined };

function field({ name, label, fault, ...more }: Field): Html {
  return html`<div class="field${fault === undefined ? '' : ' wrong'}">
    <label class="question" for="${name}">${label}</label>
    ${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>`}
    <input
      class="input"
      id="${name}"
      name="${name}"
      required
      maxlength="400"
      ${attributes({ type: 'text', ...more, ...(fault === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${name}-fault` }) })}
    />
  </div>`;
}

/** A form of the page. The script offers passkeys in it, and shows there what a provider answered. */
function form({ path, base, next, locale, operations, words }: SignInAt, options: Readonly<Record<string, string>>, content: Content): Html {
  return html`<form class="sign-in" method="post" action="${path}" novalidate data-sign-in="${operations}" data-next="${base}${next}" ${attributes(options)}>
    <input type="hidden" name="next" value="${next}" /><input type="hidden" name="locale" value="${locale}" />${content}
    ${jsonBlock('sign-in-words', { failed: words.signIn.failed, problems: words.signIn.problems })}
  </form>`;
}

const alertOf = ({ alert, notice }: SignInDraft): Content => [
  notice !== undefined && html`<p class="notice" role="status">${notice}</p>`,
  html`<p class="notice bad" role="alert" id="sign-in-alert" ${attributes({ hidden: alert === undefined })}>${alert}</p>`,
];

const passkeyButton = (words: AppWords) =>
  html`<button type="button" class="button second" data-passkey hidden>${words.signIn.passkey}</button>`;

/** Signing in with a password, with a passkey, or at the provider of the team. */
export function signInView(at: SignInAt, draft: SignInDraft): Html {
  const { signIn } = at.words;
  const { email, faults = {} } = draft;
  const credentials = html`<div class="step">
      ${field({ name: 'email', label: signIn.email, type: 'email', autocomplete: 'username', value: email, fault: faults.email })}
      ${field({ name: 'password', label: signIn.password, type: 'password', autocomplete: 'current-password', fault: faults.password })}
    </div>
    <div class="actions"><button class="button">${signIn.submit}</button></div>
    <div class="actions others">
      ${passkeyButton(at.words)}
      <button class="button second" name="_do" value="sso" formnovalidate>${signIn.organisation}</button>
    </div>`;
  return html`<div class="intro">
      <h1 tabindex="-1">${signIn.title}</h1>
      <p class="lead">${signIn.lead}</p>
    </div>
    ${form(at, { 'data-operation': 'passkeys/login' }, [alertOf(draft), credentials])}`;
}

/** The second factor after a right password. */
export function codeView(at: SignInAt, challenge: { challengeId: string; methods: readonly string[] }, draft: SignInDraft): Html {
  const { signIn } = at.words;
  const { challengeId, methods } = challenge;
  const passkeys = methods.includes('passkey');
  const code = html`<input type="hidden" name="challengeId" value="${challengeId}" />
    <input type="hidden" name="methods" value="${methods.join(',')}" />
    ${field({ name: 'code', label: signIn.code, autocomplete: 'one-time-code', fault: draft.faults?.code })}
    <div class="actions">
      <button class="button" name="_do" value="code">${signIn.codeSubmit}</button>
      ${passkeys && passkeyButton(at.words)}
      <a class="button plain" href="${at.path}?${new URLSearchParams({ next: at.next, locale: at.locale }).toString()}">${signIn.again}</a>
    </div>`;
  const options = passkeys ? { 'data-operation': 'verify-passkey', 'data-challenge': challengeId } : {};
  return html`<div class="intro">
      <h1 tabindex="-1">${signIn.codeTitle}</h1>
      <p class="lead">${signIn.codeLead}</p>
    </div>
    ${form(at, options, [alertOf(draft), code])}`;
}

/** A link to the provider of a team: the policy of the page lets no form lead to another site. */
export function providerView({ words }: SignInAt, start: string): Html {
  const { signIn } = words;
  return message({
    mark: clock,
    title: signIn.organisationTitle,
    text: signIn.organisationText,
    more: html`<p class="actions"><a class="button" href="${start}">${words.goOn}</a></p>`,
  });
}
