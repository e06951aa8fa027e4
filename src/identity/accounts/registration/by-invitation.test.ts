import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withDirectory } from '../../../../test/directories.ts';
import type { Chancery, TestResponse } from '../../../../test/harness.ts';
import { startForger } from '../../../../test/identity-provider.ts';
import { authPath, goodPassword, mailsTo, signIn } from '../../../../test/people.ts';
import {
  connectedTeam,
  oidcConnection,
  signInAtForger,
  type SsoService,
  ssoSession,
  startForSso,
} from '../../../../test/single-sign-on.ts';

let service: SsoService;
let chancery: Chancery;
let people = 0;
before(async () => {
  service = await startForSso({ settings: { REGISTRATION: 'invited' } });
  ({ chancery } = service);
});
after(() => service.stop());

const newAddress = () => `invited.${(people += 1)}@example.org`;
const person = { firstName: 'Grace', lastName: 'Hopper', password: goodPassword };
const post = (path: string, body: object) => chancery.call('POST', path, { body });
const closed = (answer: TestResponse) =>
  assert.deepEqual([answer.status, answer.body.code], [403, 'registration_by_invitation'], answer.text);
const accountsOf = async (email: string) => (await chancery.pool.query('SELECT FROM person WHERE email_key = $1', [email])).rowCount;

/** Invites an address to a new team, and returns the token of the mailed link. */
async function invite(email: string): Promise<string> {
  const { owner } = await chancery.team();
  const made = await chancery.call('POST', '/api/v1/team/invitations', { token: owner.token, body: { email, role: 'member' } });
  assert.equal(made.status, 201, made.text);
  return /accept-invitation#token=([\w-]+)/.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1] ?? '';
}
const accept = (token: string) => post('/api/v1/team/invitations/accept', { token, ...person });

/** Registers an address at a node whose registration is still open, and returns the mailed code. */
async function registeredBefore(email: string): Promise<string> {
  const open = await chancery.node('api', { REGISTRATION: 'open' });
  const answer = await fetch(`${open.address}${authPath}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, ...person }),
  });
  assert.equal(answer.status, 201);
  return /\d{6}/.exec((await mailsTo(chancery, email))[0]?.subject ?? '')?.[0] ?? '';
}

test('registration by invitation has the same response for known, invited, unconfirmed and unknown addresses', async () => {
  const [known, invited, unconfirmed, unknown] = [newAddress(), newAddress(), newAddress(), newAddress()];
  assert.equal((await accept(await invite(known))).status, 201);
  await invite(invited);
  const code = await registeredBefore(unconfirmed);
  const mailsBefore = (await chancery.pool.query('SELECT FROM mail_message')).rowCount;
  const details = new Set<string>();
  for (const email of [known, invited, unconfirmed, unknown]) {
    for (const [operation, body] of Object.entries({
      register: { email, ...person },
      'verify-email': { email, code },
      'resend-verification': { email },
    })) {
      const answer = await post(`${authPath}/${operation}`, body);
      closed(answer);
      details.add(answer.body.detail);
    }
    if (email !== known) assert.equal((await post(`${authPath}/request-password-reset`, { email })).status, 200);
  }
  assert.equal(details.size, 1);
  assert.equal((await chancery.pool.query('SELECT FROM mail_message')).rowCount, mailsBefore, 'no mail was sent');
  assert.equal(await accountsOf(unconfirmed), 0);
});

test('an invited person creates an account with the mailed link', async () => {
  const email = newAddress();
  const accepted = await accept(await invite(email));
  assert.equal(accepted.status, 201, accepted.text);
  assert.equal((await signIn(chancery, email)).body.user.teamId, accepted.body.user.teamId);
});

test('single sign-on still creates accounts', async (t) => {
  const forger = await startForger();
  t.after(() => forger.close());
  const team = await connectedTeam(service, oidcConnection(forger));
  const email = `ada@${team.domain}`;
  const { team: joined } = await ssoSession(service, await signInAtForger(service, team, forger, { sub: 'ada', email }));
  assert.deepEqual([joined, await accountsOf(email)], [team.id, 1]);
});

test('a directory still creates accounts', async () => {
  const { userName } = await (await withDirectory(chancery)).provision();
  assert.equal(await accountsOf(userName), 1);
});
