import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { addAuthenticator, type Site, startBrowser, startSite, withoutBrowser } from '../../../../test/browser.ts';
import { type Chancery, startChancery } from '../../../../test/harness.ts';
import { authPath, type Registered, registered, signIn } from '../../../../test/people.ts';

/** A page in Chromium with a platform authenticator that verifies its user. */
type Device = { page: Page; cdp: CDPSession; authenticatorId: string };

describe('in Chromium', { skip: withoutBrowser }, () => {
  let site: Site;
  let otherSite: Site;
  let chancery: Chancery;
  let browser: Browser;
  let api: string;

  before(async () => {
    [site, otherSite] = [await startSite(), await startSite()];
    chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', CORS_ORIGINS: site.origin } });
    api = chancery.url.replace('127.0.0.1', 'localhost') + authPath;
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await chancery?.stop();
    await Promise.all([site?.close(), otherSite?.close()]);
  });

  async function device(origin = site.origin): Promise<Device> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(origin);
    return { page, ...(await addAuthenticator(page)) };
  }

  /** Calls an operation from the script of the page, with its cookies. */
  const call = (page: Page, path: string, body: unknown = {}, token?: string) =>
    page.evaluate(
      async ([url, sent, bearer]) => {
        const response = await fetch(url, {
          method: 'POST',
          credentials: 'include',
          headers: { 'content-type': 'application/json', ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) },
          body: JSON.stringify(sent),
        });
        return { status: response.status, body: (await response.json()) as any };
      },
      [api + path, body, token] as const,
    );
  const create = (page: Page, optionsJSON: unknown): Promise<any> =>
    page.evaluate((options) => (globalThis as any).SimpleWebAuthnBrowser.startRegistration({ optionsJSON: options }), optionsJSON);
  const get = (page: Page, optionsJSON: unknown): Promise<any> =>
    page.evaluate((options) => (globalThis as any).SimpleWebAuthnBrowser.startAuthentication({ optionsJSON: options }), optionsJSON);

  async function enroll(page: Page, person: Registered): Promise<string> {
    const options = await call(page, '/passkeys/options', {}, person.token);
    assert.equal(options.status, 200, JSON.stringify(options.body));
    const made = await call(page, '/passkeys', { name: 'Chromium', response: await create(page, options.body) }, person.token);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  }
  async function login(page: Page) {
    const options = await call(page, '/passkeys/login/options');
    const response = await get(page, options.body);
    return { response, answer: await call(page, '/passkeys/login', { response }) };
  }

  test('a user registers a passkey, signs in with it alone, and the cookie renews the session', async () => {
    const [person, { page }] = [await registered(chancery), await device()];
    await enroll(page, person);
    const { response, answer } = await login(page);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual([answer.body.user.email, decodeJwt(answer.body.accessToken).acr], [person.email, 'aal2']);
    assert.equal((await call(page, '/refresh')).status, 200);
    const again = await call(page, '/passkeys/login', { response });
    assert.deepEqual([again.status, again.body.code], [401, 'invalid_passkey'], 'a repeated response');
  });

  test('a passkey completes a password sign-in, and the browser offers no second one on the same device', async () => {
    const [person, { page }] = [await registered(chancery), await device()];
    await enroll(page, person);
    const begun = await call(page, '/login', { email: person.email, password: 'CorrectHorse9Battery' });
    assert.deepEqual(begun.body.methods, ['backup_code', 'webauthn']);
    const { challengeId } = begun.body;
    const options = await call(page, '/verify-passkey/options', { challengeId });
    const done = await call(page, '/verify-passkey', { challengeId, response: await get(page, options.body) });
    assert.deepEqual([done.status, decodeJwt(done.body.accessToken).amr], [200, ['pwd', 'hwk']]);
    const further = await call(page, '/passkeys/options', {}, done.body.accessToken);
    await assert.rejects(create(page, further.body), /previously registered/);
  });

  test('the passkey of another user does not complete the sign-in', async () => {
    const [person, stranger] = [await registered(chancery), await registered(chancery)];
    const [own, theirs] = [await device(), await device()];
    await enroll(own.page, person);
    await enroll(theirs.page, stranger);
    const { challengeId } = (await signIn(chancery, person.email)).body;
    const options = await call(theirs.page, '/verify-passkey/options', { challengeId });
    // A page that offers any passkey of the wrong device.
    const { allowCredentials: _named, ...any } = options.body;
    const wrong = await call(theirs.page, '/verify-passkey', { challengeId, response: await get(theirs.page, any) });
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'invalid_passkey']);
  });

  test('a copy of the key with an older counter is rejected and recorded in the journal', async () => {
    const [person, { page, cdp, authenticatorId }] = [await registered(chancery), await device()];
    await enroll(page, person);
    assert.equal((await login(page)).answer.status, 200);
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const [credential] = credentials;
    assert.ok(credential);
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } });
    const { answer } = await login(page);
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_passkey']);
    const journal = await chancery.pool.query("SELECT FROM audit_entry WHERE team_id = $1 AND type = 'passkey.counter_regressed'", [
      person.team,
    ]);
    assert.equal(journal.rowCount, 1);
  });

  test('a deleted passkey cannot sign in, although the device still has it', async () => {
    const [person, { page }] = [await registered(chancery), await device()];
    const id = await enroll(page, person);
    assert.equal((await chancery.call('DELETE', `${authPath}/passkeys/${id}`, { token: person.token })).status, 204);
    assert.equal((await login(page)).answer.body.code, 'invalid_passkey');
  });

  test('a signature for another origin is rejected, and a page outside the RP ID gets no signature', async () => {
    const [person, { page, cdp, authenticatorId }] = [await registered(chancery), await device()];
    await enroll(page, person);
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const elsewhere = await device(otherSite.origin);
    for (const credential of credentials)
      await elsewhere.cdp.send('WebAuthn.addCredential', { authenticatorId: elsewhere.authenticatorId, credential });
    const options = await chancery.call('POST', `${authPath}/passkeys/login/options`);
    const response = await get(elsewhere.page, options.body);
    const answer = await chancery.call('POST', `${authPath}/passkeys/login`, { body: { response } });
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_passkey']);
    await assert.rejects(get(elsewhere.page, { ...options.body, rpId: 'example.org' }), /example\.org/);
  });

  test('a user reauthenticates with the passkey', async () => {
    const [person, { page }] = [await registered(chancery), await device()];
    await enroll(page, person);
    await chancery.pool.query("UPDATE sign_in SET auth_time = now() - interval '1 hour', second_factor_at = NULL WHERE person_id = $1", [
      person.id,
    ]);
    const options = await call(page, '/reauthenticate/options', {}, person.token);
    const passkey = await get(page, options.body);
    const raised = await call(page, '/reauthenticate', { passkey }, person.token);
    assert.equal(raised.status, 200, JSON.stringify(raised.body));
    assert.equal((await call(page, '/passkeys/options', {}, raised.body.accessToken)).status, 200);
  });
});
