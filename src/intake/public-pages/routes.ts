import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, jsonBlock } from '../../platform/http/html.ts';
import type { App } from '../../platform/http/server.ts';
import { sendPage } from '../../platform/http/web-page.ts';
import { preferredLanguage } from '../../platform/mail/compose.ts';
import { field, form, scriptOf, show, view } from './parts.ts';
import { pageTexts } from './texts.ts';

const service = 'Chancery';
const script = scriptOf('mailed-link.js');

type Texts = (typeof pageTexts)['en'];
/** `minLength` is of passwords, in code points. `signIn` is the path of the sign-in. */
type ViewOptions = { minLength: number; signIn: string };
type MailedPage = {
  page: 'password' | 'invitation' | 'restore';
  /** The operation that the form calls, under `/api/v1`. */
  operation: string;
  title: (texts: Texts) => string;
  views: (texts: Texts, options: ViewOptions) => Html;
};

const pages: Record<string, MailedPage> = {
  '/reset-password': {
    page: 'password',
    operation: '/security/auth/reset-password',
    title: (texts) => texts.reset.title,
    views: (texts, options) => passwordViews(texts, texts.reset, options),
  },
  '/staff/set-password': {
    page: 'password',
    operation: '/security/auth/staff/set-password',
    title: (texts) => texts.staff.title,
    // Staff do not sign in to the console.
    views: (texts, { minLength }) => passwordViews(texts, { ...texts.reset, ...texts.staff }, { minLength }),
  },
  '/accept-invitation': {
    page: 'invitation',
    operation: '/team/invitations/accept',
    title: (texts) => texts.invitation.title,
    views: invitationViews,
  },
  '/restore-users': {
    page: 'restore',
    operation: '/team/directories/restore',
    title: (texts) => texts.restore.title,
    views: restoreViews,
  },
};

/**
 * The pages that mails link to, in the preferred language of the browser. The token is in the fragment,
 * so only the script of the page reads it. `passwordMinLength` is in code points.
 */
export function pageRoutes(app: App, { passwordMinLength }: { passwordMinLength: number }): void {
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, { config: { access: { kind: 'public' } }, schema: { hide: true } }, (request, reply) =>
      answer(request, reply, page, passwordMinLength),
    );
  }
}

function answer(request: FastifyRequest, reply: FastifyReply, { page, operation, title, views }: MailedPage, minLength: number) {
  const language = preferredLanguage(request.headers['accept-language']);
  const texts = pageTexts[language];
  const rules = { ...texts.script.rules, min_length: counted(texts.script.rules.min_length ?? '', minLength) };
  const base = new URL(request.server.baseUrl).pathname.replace(/\/$/, '');
  const settings = { base, page, operation, language, texts: { ...texts.script, rules } };
  const body = html`<div class="card">
      <section data-view="start">
        <h1 tabindex="-1">${title(texts)}</h1>
        <noscript><p>${texts.noScript}</p></noscript>
      </section>
      ${views(texts, { minLength, signIn: `${base}/app/login` })}
    </div>
    ${jsonBlock('settings', settings)}`;
  return sendPage(reply.header('vary', 'accept-language'), {
    language,
    title: `${title(texts)} · ${service}`,
    body,
    script,
    allow: { 'connect-src': "'self'", 'require-trusted-types-for': "'script'" },
  });
}

const counted = (text: string, count: number) => text.replace('{count}', String(count));

/** The end of a page: a link to the sign-in, if there is one for the person. */
const nextStep = (texts: Texts, signIn: string | undefined): Html =>
  signIn === undefined ? html`<p class="soft">${texts.back}</p>` : html`<p><a class="button" href="${signIn}">${texts.toSignIn}</a></p>`;

function passwordViews(texts: Texts, own: Texts['reset'], { minLength, signIn }: Partial<ViewOptions> & { minLength: number }): Html {
  const fields = html`${field({
    id: 'password',
    name: 'password',
    label: texts.password,
    type: 'password',
    autocomplete: 'new-password',
    hint: counted(texts.passwordHint, minLength),
  })}${field({ id: 'repeat', name: 'repeat', label: texts.repeat, type: 'password', autocomplete: 'new-password', repeats: 'password' })}${show(texts.show)}`;
  return html`${view(
    'form',
    own.title,
    html`<p>${own.intro}</p>
      ${form(own.button, fields)}`,
  )}
  ${view(
    'done',
    own.done,
    html`<p>${own.doneText}</p>
      ${nextStep(texts, signIn)}`,
  )}
  ${view('dead', own.dead, html`<p>${own.deadText}</p>`)}`;
}

function restoreViews(texts: Texts, { signIn }: ViewOptions): Html {
  const own = texts.restore;
  return html`${view(
    'form',
    own.title,
    html`<p>${own.intro}</p>
      ${form(own.button, html``)}`,
  )}
  ${view(
    'done',
    own.done,
    html`<p>${own.doneText}</p>
      ${nextStep(texts, signIn)}`,
  )}
  ${view('dead', own.dead, html`<p>${own.deadText}</p>`)}`;
}

/** The read-only e-mail address, so that password managers store the user name with the password. */
function address(id: string, texts: Texts): Html {
  return html`<label for="${id}">${texts.invitation.email}</label
    ><input id="${id}" name="email" type="email" autocomplete="username" readonly data-fill="email" />`;
}

function invitationViews(texts: Texts, { minLength, signIn: signInPath }: ViewOptions): Html {
  const own = texts.invitation;
  const offer = html`<dl>
    <dt>${own.team}</dt>
    <dd data-fill="team"></dd>
    <dt>${own.role}</dt>
    <dd data-fill="role"></dd>
    <dt>${own.until}</dt>
    <dd data-fill="until"></dd>
  </dl>`;
  const registration = html`${address('register-email', texts)}
  ${field({ id: 'firstName', name: 'firstName', label: own.firstName, autocomplete: 'given-name' })}
  ${field({ id: 'lastName', name: 'lastName', label: own.lastName, autocomplete: 'family-name' })}
  ${field({
    id: 'register-password',
    name: 'password',
    label: own.password,
    type: 'password',
    autocomplete: 'new-password',
    hint: counted(texts.passwordHint, minLength),
  })}${show(texts.show)}`;
  const signIn = html`${address('sign-in-email', texts)}
    ${field({ id: 'sign-in-password', name: 'password', label: own.password, type: 'password', autocomplete: 'current-password' })}${show(texts.show)}
    <p class="hint">${own.signInHint}</p>`;
  const code = field({ id: 'code', name: 'code', label: own.code, autocomplete: 'one-time-code' });
  return html`${view(
    'register',
    own.title,
    html`<p>${own.intro}</p>
      ${offer}${form(own.join, registration)}`,
  )}
  ${view(
    'sign-in',
    own.signInTitle,
    html`<p>${own.signInIntro}</p>
      ${offer}${form(own.signInButton, signIn)}`,
  )}
  ${view(
    'code',
    own.codeTitle,
    html`<p>${own.codeIntro}</p>
      ${form(own.codeButton, code)}`,
  )}
  ${view(
    'done',
    own.done,
    html`<p>${own.doneText}</p>
      ${nextStep(texts, signInPath)}`,
  )}
  ${view('dead', own.dead, html`<p>${own.deadText}</p>`)} ${view('failed', own.failed, html`<p data-fill="failure"></p>`)}`;
}
