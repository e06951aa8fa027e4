import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addAuthenticator, withoutBrowser } from '../../../../test/browser.ts';
import { startDnsServer } from '../../../../test/dns-server.ts';
import { type Chancery, startChancery } from '../../../../test/harness.ts';
import { startIdentityProvider } from '../../../../test/identity-provider.ts';
import { authPath, challengeOf, enrolled, mailsTo, type Registered, registered, signIn } from '../../../../test/people.ts';
import { freePort } from '../../../../test/spawned.ts';
import { useBrowser } from '../../../../test/visits.ts';
import { tasksPath } from './next.ts';

const newPassword = 'Lantern-over-the-bay-48';
const page = `/app/sign-in?next=${tasksPath}`;

/** The service at its configured address, because passkeys and providers check the address. */
describe('in Chromium', { skip: withoutBrowser }, () => {
  let chancery: Chancery;
  let dns: Awaited<ReturnType<typeof startDnsServer>>;
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
  const texts = new Map<string, string[]>();
  before(async () => {
    [dns, provider] = [await startDnsServer(), await startIdentityProvider()];
    dns.answer = ({ name, type }) => ({
      addresses: type === 'A' ? ['127.0.0.1'] : type === 'AAAA' ? ['::1'] : [],
      texts: texts.get(name) ?? [],
    });
    const port = String(await freePort());
    const settings = { ALTCHA: 'off', PORT: port, BASE_URL: `http://localhost:${port}`, SSO_DNS_SERVERS: dns.address };
    chancery = await startChancery({ role: 'api', settings });
  });
  after(async () => {
    await chancery.stop();
    await Promise.all([dns.close(), provider.close()]);
  });
  const visit = useBrowser(() => chancery.config.BASE_URL);
  const isIn = async (opened: Page, email: string) => {
    await opened.getByRole('heading', { name: 'Your open tasks' }).waitFor();
    await opened.getByText(email).waitFor();
  };

  /** Adds a passkey of the browser to a person. */
  async function addPasskey(opened: Page, person: Registered): Promise<void> {
    await addAuthenticator(opened);
    const made = await opened.evaluate(
      async ([path, token]) => {
        const ask = async (address: string, body: unknown) => {
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
          return (await (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as any;
        };
        const { PublicKeyCredential: Kind, navigator } = globalThis as any;
        const publicKey = Kind.parseCreationOptionsFromJSON(await ask(`${path}/passkeys/options`, {}));
        const response = (await navigator.credentials.create({ publicKey })).toJSON();
        return ask(`${path}/passkeys`, { name: 'Chromium', response });
      },
      [authPath, person.token] as const,
    );
    assert.equal(made.name, 'Chromium', JSON.stringify(made));
  }

  test('a passkey signs in', async () => {
    const person = await registered(chancery);
    const opened = await visit(page);
    await addPasskey(opened, person);
    await opened.getByRole('button', { name: 'Use a passkey' }).click();
    await isIn(opened, person.email);
  });

  test('a person who forgot the password requests a mail, and its link sets a new password', async () => {
    const person = await registered(chancery);
    const opened = await visit(page);
    await opened.getByRole('link', { name: 'Forgot your password?' }).click();
    await opened.getByRole('heading', { name: 'Set a new password' }).waitFor();
    await opened.getByRole('button', { name: 'Send the link' }).click();
    assert.equal(await opened.getByLabel('E-mail address').getAttribute('aria-invalid'), 'true');
    await opened.getByLabel('E-mail address').fill(person.email);
    await opened.getByRole('button', { name: 'Send the link' }).click();
    await opened.getByText('Check your mailbox').waitFor();
    const [mail] = await mailsTo(chancery, person.email);
    const link = /http:\S+\/reset-password#token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    await opened.goto(link);
    await opened.getByLabel('New password', { exact: true }).fill(newPassword);
    await opened.getByLabel('Repeat the new password').fill(newPassword);
    await opened.getByRole('button').click();
    await opened.getByRole('heading', { name: 'Your password was changed' }).waitFor();
    assert.equal((await signIn(chancery, person.email)).status, 401);
    await opened.goto(page);
    await opened.getByLabel('E-mail address').fill(person.email);
    await opened.getByLabel('Password', { exact: true }).fill(newPassword);
    await opened.getByRole('button', { name: 'Sign in', exact: true }).click();
    await isIn(opened, person.email);
  });

  test('the request for a new password gives the same response for an unknown address', async () => {
    const opened = await visit('/forgot-password');
    await opened.getByLabel('E-mail address').fill('unknown@example.org');
    await opened.getByRole('button', { name: 'Send the link' }).click();
    await opened.getByText('Check your mailbox').waitFor();
    assert.deepEqual(await mailsTo(chancery, 'unknown@example.org'), []);
  });

  test('the provider of a team signs a person in, and the browser returns to the requested page', async () => {
    const team = await chancery.team();
    const { token } = team.owner;
    const body = { issuer: provider.issuer, clientId: 'chancery', clientSecret: 'a secret of the client', domains: ['team.example'] };
    const made = (await chancery.call('POST', '/api/v1/team/sso', { token, body })).body;
    for (const { record } of made.domains) texts.set(record.name, [record.value]);
    const connection = (await chancery.call('POST', `/api/v1/team/sso/${made.id}/verify-domains`, { token })).body;
    provider.register({ clientId: 'chancery', clientSecret: 'a secret of the client', redirectUri: connection.redirectUri });
    provider.people.set('grace', { email: 'grace@team.example', email_verified: true, given_name: 'Grace', family_name: 'Hopper' });
    const opened = await visit(page);
    // The page of the provider loads a font from the internet.
    await opened.route(/googleapis/, (route) => route.abort());
    await opened.getByLabel('E-mail address').fill('grace@team.example');
    await opened.getByRole('button', { name: 'Use the sign-in of your organisation' }).click();
    await opened.getByRole('link', { name: 'Continue' }).click();
    await opened.fill('input[name=login]', 'grace');
    await opened.fill('input[name=password]', 'anything');
    await opened.click('button[type=submit]');
    await opened.click('button[type=submit]');
    await isIn(opened, 'grace@team.example');
    assert.equal(new URL(opened.url()).pathname, tasksPath);
  });

  test('the result of a provider is shown: an error, or a second factor', async () => {
    const refused = await visit(`${page}#error=sso_denied&error_description=x`);
    await refused.getByText('Your organisation did not sign you in.').waitFor();
    assert.equal(new URL(refused.url()).hash, '');
    const uninvited = await visit(`${page}#error=sso_user_not_found&error_description=x`);
    await uninvited.getByText('An administrator of the team must invite you.').waitFor();
    const person = await enrolled(chancery);
    const opened = await visit(`${page}#challengeId=${await challengeOf(chancery, person.email)}&methods=totp`);
    await opened.getByLabel('Code of your authenticator app, or a backup code').fill(person.code());
    await opened.getByRole('button', { name: 'Continue' }).click();
    await isIn(opened, person.email);
  });
});
