import { attributes, type Content, type Html, html, jsonBlock } from '../../../platform/http/html.ts';
import { clock, tick } from '../public/marks.ts';
import { message } from '../public/messages.ts';
import { homePath } from './next.ts';
import type { AppWords } from './words/index.ts';

/** The sign-in page in a language, with the page that follows. Its forms are sent to `path`. */
export type SignInAt = { path: string; base: string; operations: string; next: string; locale: string; words: AppWords };

/** The input of the person, with errors by field name. `alert` is an error of the complete form. */
export type SignInDraft = { email?: string; errors?: Readonly<Record<string, string>>; alert?: string; notice?: string };

type TextField = {
  name: string;
  label: string;
  autocomplete: string;
  type?: string;
  value?: string | undefined;
  error?: string | undefined;
};

function field({ name, label, error, ...more }: TextField): Html {
  return html`<div class="field${error === undefined ? '' : ' wrong'}">
    <label class="question" for="${name}">${label}</label>
    ${error !== undefined && html`<p class="fault" id="${name}-error">${error}</p>`}
    <input
      class="input"
      id="${name}"
      name="${name}"
      required
      maxlength="400"
      ${attributes({ type: 'text', ...more, ...(error === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${name}-error` }) })}
    />
  </div>`;
}

/** A form of the sign-in page. The script adds passkeys, and shows the result of a provider. */
function form(
  { path, base, next, locale, operations, words }: SignInAt,
  options: Readonly<Record<string, string | boolean>>,
  content: Content,
): Html {
  return html`<form
    class="sign-in"
    method="post"
    action="${path}"
    novalidate
    data-sign-in="${operations}"
    data-next="${base}${next}"
    ${attributes(options)}
  >
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

/** The form for a password, with a passkey button and a link to the provider of the team. */
export function signInView(at: SignInAt, draft: SignInDraft): Html {
  const { signIn } = at.words;
  const { email, errors = {} } = draft;
  const credentials = html`<div class="step">
      ${field({ name: 'email', label: signIn.email, type: 'email', autocomplete: 'username', value: email, error: errors.email })}
      ${field({ name: 'password', label: signIn.password, type: 'password', autocomplete: 'current-password', error: errors.password })}
    </div>
    <div class="actions">
      <button class="button">${signIn.submit}</button>
      <a class="button plain" href="${forgotPath(at)}">${signIn.forgot}</a>
    </div>
    <div class="actions others">
      ${passkeyButton(at.words)}
      <button class="button second" name="_do" value="sso" formnovalidate>${signIn.organisation}</button>
    </div>`;
  return html`<div class="intro">
      <h1 tabindex="-1">${signIn.title}</h1>
      <p class="lead">${signIn.intro}</p>
    </div>
    ${form(at, { 'data-operation': 'passkeys/login' }, [alertOf(draft), credentials])}`;
}

/** The form for the second factor, after a correct password. */
export function codeView(at: SignInAt, challenge: { challengeId: string; methods: readonly string[] }, draft: SignInDraft): Html {
  const { signIn } = at.words;
  const { challengeId, methods } = challenge;
  const passkeys = methods.includes('passkey');
  const code = html`<input type="hidden" name="challengeId" value="${challengeId}" />
    <input type="hidden" name="methods" value="${methods.join(',')}" />
    ${field({ name: 'code', label: signIn.code, autocomplete: 'one-time-code', error: draft.errors?.code })}
    <div class="actions">
      <button class="button" name="_do" value="code">${signIn.codeSubmit}</button>
      ${passkeys && passkeyButton(at.words)}
      <a class="button plain" href="${signInPath(at)}">${signIn.again}</a>
    </div>`;
  const options = passkeys ? { 'data-operation': 'verify-passkey', 'data-challenge': challengeId } : {};
  return html`<div class="intro">
      <h1 tabindex="-1">${signIn.codeTitle}</h1>
      <p class="lead">${signIn.codeIntro}</p>
    </div>
    ${form(at, options, [alertOf(draft), code])}`;
}

/** The sign-in that follows a new password: of the console, or of the page that needs it. */
const backPath = (at: SignInAt) => (at.next === homePath ? `${at.base}/app/login` : signInPath(at));

const forgotPath = ({ base, next, locale }: SignInAt) => `${base}/forgot-password?${new URLSearchParams({ next, locale }).toString()}`;

/** The form that requests a link for a new password. */
export function forgotView(at: SignInAt, draft: SignInDraft, proof: Content): Html {
  const { forgotten, email } = at.words.signIn;
  const content = html`${field({ name: 'email', label: email, type: 'email', autocomplete: 'username', value: draft.email, error: draft.errors?.email })}
    ${proof}
    <div class="actions">
      <button class="button">${forgotten.submit}</button>
      <a class="button plain" href="${backPath(at)}">${forgotten.back}</a>
    </div>`;
  return html`<div class="intro">
      <h1 tabindex="-1">${forgotten.title}</h1>
      <p class="lead">${forgotten.text}</p>
    </div>
    ${form(at, { 'data-reset': true }, [alertOf(draft), content])}`;
}

export const forgotSentView = (at: SignInAt): Html =>
  message({
    mark: tick,
    title: at.words.signIn.forgotten.sent,
    text: at.words.signIn.forgotten.sentText,
    more: html`<p class="actions"><a class="button second" href="${backPath(at)}">${at.words.signIn.forgotten.back}</a></p>`,
  });

const signInPath = ({ base, next, locale }: SignInAt) => `${base}/app/sign-in?${new URLSearchParams({ next, locale }).toString()}`;

/** The page with a link to the provider of a team. It is a link because the content security policy blocks forms to other sites. */
export function providerView({ words }: SignInAt, start: string): Html {
  const { signIn } = words;
  return message({
    mark: clock,
    title: signIn.organisationTitle,
    text: signIn.organisationText,
    more: html`<p class="actions"><a class="button" href="${start}">${words.goOn}</a></p>`,
  });
}
