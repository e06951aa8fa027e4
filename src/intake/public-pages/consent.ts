import type { AppRequest } from '#connected-apps';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientIp } from '../../platform/http/client-ip.ts';
import { html, jsonBlock } from '../../platform/http/html.ts';
import type { App } from '../../platform/http/server.ts';
import { sendPage } from '../../platform/http/web-page.ts';
import { preferredLanguage } from '../../platform/mail/compose.ts';
import { type ConsentTexts, consentTexts } from './consent-texts.ts';
import { field, form, scriptOf, show, view } from './parts.ts';
import { pageTexts } from './texts.ts';

const service = 'Chancery';
const script = scriptOf('consent.js');

type Read = (query: object, ip: string | undefined) => Promise<AppRequest>;

/**
 * The page `/oauth/authorize`, where a person connects an app. The person signs in and decides on the page each time,
 * so an open browser session is not enough. Responses only go to a registered redirect address of the app.
 */
export function consentPage(app: App, read: Read): void {
  app.get('/oauth/authorize', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', vary: 'accept-language' });
    const answer = await read(request.query as object, clientIp(request));
    // A redirect of a GET request with 303 cannot resend typed values (RFC 9700 §4.12).
    if (answer.kind === 'redirect') return reply.redirect(answer.redirectTo, 303);
    return answer.kind === 'ask' ? ask(request, reply, answer) : refuse(request, reply, answer.why);
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply, why: 'app' | 'redirect') {
  const language = preferredLanguage(request.headers['accept-language']);
  const texts = consentTexts[language];
  const body = html`<div class="card">
    <h1>${texts.refused}</h1>
    <p>${why === 'app' ? texts.unknownApp : texts.unknownRedirect}</p>
    <p class="soft">${texts.nothingDone}</p>
  </div>`;
  return sendPage(reply.code(400), { language, title: `${texts.refused} · ${service}`, body });
}

function ask(request: FastifyRequest, reply: FastifyReply, consent: Extract<AppRequest, { kind: 'ask' }>) {
  const language = preferredLanguage(request.headers['accept-language']);
  const texts = consentTexts[language];
  const shared = pageTexts[language];
  const base = new URL(request.server.baseUrl).pathname.replace(/\/$/, '');
  const said = { ...shared.script, problems: { ...shared.script.problems, ...texts.problems } };
  const settings = {
    base,
    page: 'consent',
    operation: '',
    language,
    texts: said,
    consent: { request: consent.request, denied: consent.denied, scopes: texts.scopes },
  };
  const body = html`<div class="card">
      <section data-view="start">
        <h1 tabindex="-1">${texts.title}</h1>
        <noscript><p>${texts.noScript}</p></noscript>
      </section>
      ${views(texts, shared.show, consent)}
    </div>
    ${jsonBlock('settings', settings)}`;
  return sendPage(reply, {
    language,
    title: `${texts.title} · ${service}`,
    body,
    script,
    allow: { 'connect-src': "'self'", 'require-trusted-types-for': "'script'" },
  });
}

function views(texts: ConsentTexts, showLabel: string, { name, host, own, document }: Extract<AppRequest, { kind: 'ask' }>) {
  const who = html`<dl>
      <dt>${texts.appName}</dt>
      <dd>${name}</dd>
      ${
        document === undefined
          ? ''
          : html`<dt>${texts.describedAt}</dt>
              <dd>${document}</dd>`
      }
      <dt>${texts.answeredAt}</dt>
      <dd>${own ? texts.ownMachine.replace('{host}', host) : host}</dd>
    </dl>
    <p class="hint">${texts.unverified}</p>`;
  const passkey = html`<button type="button" class="second" data-passkey hidden>${texts.passkey}</button>`;
  const deny = html`<button type="button" class="second" data-deny>${texts.deny}</button>`;
  const credentials = html`${field({ id: 'email', name: 'email', label: texts.email, type: 'email', autocomplete: 'username' })}
  ${field({ id: 'password', name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password' })}${show(showLabel)}`;
  // Without this check mark the app changes nothing. It is never preselected.
  const changes = html`<div data-changes hidden>
    <label class="check"><input type="checkbox" autocomplete="off" aria-describedby="changes-hint" /> ${texts.changes}</label>
    <ul data-changing></ul>
    <p class="hint" id="changes-hint">${texts.changesHint}</p>
    <div data-approvers hidden>
      <label for="approval-policy">${texts.approvers}</label>
      <p class="hint" id="approval-policy-hint">${texts.approversHint}</p>
      <select id="approval-policy" autocomplete="off" aria-describedby="approval-policy-hint">
        <option value="">${texts.approveYourself}</option>
      </select>
    </div>
  </div>`;
  const code = field({ id: 'code', name: 'code', label: texts.code, autocomplete: 'one-time-code' });
  return html`${view(
    'sign-in',
    texts.title,
    html`<p>${texts.intro}</p>
      ${who}${form(texts.signIn, credentials)}${passkey}${deny}`,
  )}
  ${view(
    'code',
    texts.codeTitle,
    html`<p>${texts.codeIntro}</p>
      ${form(texts.signIn, code)}${passkey}`,
  )}
  ${view(
    'ask',
    texts.askTitle,
    html`${who}
      <dl>
        <dt>${texts.team}</dt>
        <dd data-fill="team"></dd>
        <dt>${texts.you}</dt>
        <dd data-fill="email"></dd>
      </dl>
      <p>${texts.wants}</p>
      <ul data-scopes></ul>
      <p class="hint">${texts.consequence}</p>
      ${form(texts.allow, changes)}${deny}`,
  )}
  ${view('left', texts.left, html`<p>${texts.leftText}</p>`)} ${view('failed', texts.failed, html`<p data-fill="failure"></p>`)}`;
}
