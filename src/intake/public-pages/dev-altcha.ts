import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { html, jsonBlock } from '../../platform/http/html.ts';
import type { App } from '../../platform/http/server.ts';
import { sendPage } from '../../platform/http/web-page.ts';
import { problems } from '../../platform/problems.ts';

/** The files of the public widget, from the installed development package. */
const parts: Record<string, [address: () => string, type: string]> = {
  'widget.js': [() => import.meta.resolve('altcha/external'), 'text/javascript'],
  'widget.css': [() => import.meta.resolve('altcha/altcha.css'), 'text/css'],
  'sha.js': [() => import.meta.resolve('altcha/workers/sha'), 'text/javascript'],
  'pbkdf2.js': [() => import.meta.resolve('altcha/workers/pbkdf2'), 'text/javascript'],
};

const script = `
const { base } = JSON.parse(document.querySelector('#settings').text);
await import(base + '/dev/altcha/widget.js');
const worker = (name) => () => new Worker(base + '/dev/altcha/' + name);
$altcha.algorithms.set('SHA-256', worker('sha.js'));
$altcha.algorithms.set('PBKDF2/SHA-256', worker('pbkdf2.js'));
const form = document.querySelector('form');
form.elements.email.value = 'test.' + crypto.randomUUID().slice(0, 8) + '@example.org';
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const response = await fetch(base + '/api/v1/security/auth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  });
  document.querySelector('output').textContent = response.status + ' ' + (await response.text());
});
`;

/**
 * The page `/dev/altcha`: a form with the public widget that registers a test person. It exists only in development and needs
 * the development packages. `?v=2` uses the newer kind of challenge.
 */
export function devAltchaPage(app: App): void {
  const config = { access: { kind: 'public' } } as const;
  const base = new URL(app.baseUrl).pathname.replace(/\/$/, '');
  app.get(
    '/dev/altcha',
    { config, schema: { hide: true, querystring: Type.Object({ v: Type.Optional(Type.Enum(['1', '2'])) }) } },
    (request, reply) => {
      const challenge = `${base}/api/v1/security/auth/altcha?action=register&v=${request.query.v ?? '1'}`;
      const body = html`<div class="card">
          <h1>Proof of work with the public widget</h1>
          <p>
            The widget fetches and solves a challenge, and the registration contains the solution. The code is sent to
            <a href="${base}/dev/mail">the development mailbox</a>.
          </p>
          <form>
            <label for="email">E-mail address</label><input id="email" name="email" type="email" required />
            <label for="firstName">First name</label><input id="firstName" name="firstName" value="Ada" required />
            <label for="lastName">Last name</label><input id="lastName" name="lastName" value="Lovelace" required />
            <label for="password">Password</label><input id="password" name="password" value="CorrectHorse9Battery" required />
            <p><altcha-widget challenge="${challenge}"></altcha-widget></p>
            <button type="submit">Register</button>
          </form>
          <p><output></output></p>
        </div>
        ${jsonBlock('settings', { base })}`;
      return sendPage(reply, {
        language: 'en',
        title: 'ALTCHA',
        body,
        script,
        head: html`<link rel="stylesheet" href="${base}/dev/altcha/widget.css" />`,
        allow: { 'script-src': "'self'", 'style-src': "'self'", 'connect-src': "'self'", 'worker-src': "'self'", 'img-src': 'data:' },
      });
    },
  );

  app.get(
    '/dev/altcha/:part',
    { config, schema: { hide: true, params: Type.Object({ part: Type.Enum(Object.keys(parts)) }), produces: ['*/*'] } },
    async (request, reply) => {
      const part = parts[request.params.part];
      if (!part) throw missing();
      const [address, type] = part;
      return reply.type(`${type}; charset=utf-8`).send(await readPackageFile(address));
    },
  );
}

const missing = () => problems.not_found('The package `altcha` is not installed. Install the development packages with `npm ci`.');

async function readPackageFile(address: () => string): Promise<string> {
  try {
    return await readFile(new URL(address()), 'utf8');
  } catch {
    throw missing();
  }
}
