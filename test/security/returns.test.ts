import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, type TestClient, sharedChancery, type User } from '../harness.ts';
import { authPath, challengeOf, cookieOf, enrolled, goodPassword, mailsTo, type Registered, registered, signIn } from '../people.ts';
import { totpAt, totpStep } from '../../src/platform/crypto/totp.ts';

/* A person who rejoins a team has the rights of a new member. Nothing of the earlier membership becomes valid again. */

let chancery: Chancery;
before(async () => (chancery = await sharedChancery()));

const call = (method: string, path: string, token?: string, body?: unknown): Promise<TestResponse> =>
  chancery.call(method, path, { ...(token === undefined ? {} : { token }), ...(body === undefined ? {} : { body }) });
const mailed = async (email: string, pattern: RegExp) => pattern.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1] ?? '';

/** Invites a person and accepts the invitation with their session. */
async function brought(owner: Registered, email: string, token: string, role: string): Promise<{ token: string; refreshToken: string }> {
  const invited = await call('POST', '/api/v1/team/invitations', owner.token, { email, role });
  assert.equal(invited.status, 201, invited.text);
  const accepted = await call('POST', '/api/v1/team/invitations/accept', token, { token: await mailed(email, /token=([\w-]+)/) });
  assert.equal(accepted.status, 200, accepted.text);
  return { token: accepted.body.accessToken, refreshToken: cookieOf(accepted, 'refresh_token') };
}

async function signedInAgain(email: string, secret: Buffer): Promise<string> {
  await chancery.pool.query('UPDATE two_factor SET last_step = 0');
  const challengeId = await challengeOf(chancery, email);
  const answer = await call('POST', `${authPath}/verify-totp`, undefined, { challengeId, code: totpAt(secret, totpStep(new Date())) });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.accessToken;
}

test('after a removal and a new invitation, earlier sessions, challenges, links, clients, invitations and shares stay ended', async () => {
  const owner = await registered(chancery);
  const person = await enrolled(chancery);
  const { email, secret, id } = person;
  const before_ = await brought(owner, email, person.token, 'admin');
  const token = await signedInAgain(email, secret);
  const user: User = { id, email, team: owner.team, role: 'admin', token, sessionId: '' };
  const client: TestClient = await chancery.client(user);
  const invited = `invited.${id.slice(-6)}@example.org`;
  assert.equal((await call('POST', '/api/v1/team/invitations', token, { email: invited, role: 'admin' })).status, 201);
  const invitation = await mailed(invited, /token=([\w-]+)/);
  const secretFolder = await call('POST', '/api/v1/smartdoc/folders/', owner.token, { name: `Private ${id}` });
  const share = await call('POST', `/api/v1/smartdoc/folders/${secretFolder.body.id}/shares`, owner.token, { userId: id, access: 'write' });
  assert.equal(share.status, 201, share.text);
  assert.equal((await call('GET', `/api/v1/smartdoc/folders/${secretFolder.body.id}`, token)).status, 200);
  await call('POST', `${authPath}/request-password-reset`, undefined, { email });
  const challenge = await challengeOf(chancery, email);

  assert.equal((await call('DELETE', `/api/v1/team/members/${id}`, owner.token)).status, 204);
  const alone = await signedInAgain(email, secret);
  const back = await brought(owner, email, alone, 'member');
  assert.equal((await call('GET', `${authPath}/profile`, back.token)).body.teamId, owner.team);

  await chancery.pool.query('UPDATE two_factor SET last_step = 0');
  const code = () => totpAt(secret, totpStep(new Date()));
  for (const old of [person.token, before_.token, token, alone]) assert.equal((await call('GET', `${authPath}/profile`, old)).status, 401);
  const closed = await call('POST', `${authPath}/refresh`, undefined, { refreshToken: person.refreshToken });
  assert.deepEqual([closed.status, closed.body.code], [403, 'team_closed']);
  assert.equal(
    (await call('POST', `${authPath}/verify-totp`, undefined, { challengeId: challenge, code: code() })).status,
    401,
    'a challenge',
  );
  assert.equal((await call('GET', `/api/v1/smartdoc/folders/${secretFolder.body.id}`, back.token)).status, 404, 'a share');
  const made = await call('POST', '/api/v1/smartdoc/folders/', client.token, { name: `By the client ${id}` });
  assert.notEqual(made.status, 201, 'a client of the person with write scopes stays suspended');
  const accepted = await call('POST', '/api/v1/team/invitations/accept', undefined, {
    token: invitation,
    firstName: 'Mal',
    lastName: 'Lory',
    password: goodPassword,
  });
  assert.equal(accepted.body.code, 'invalid_invitation', 'an administrator whom the person invited');
  assert.equal(
    (await call('POST', '/api/v1/team/invitations', back.token, { email: invited, role: 'member' })).status,
    403,
    'the earlier role',
  );
});

test('a removal ends open invitations for the address of the member, so that none restores the member with a higher role', async () => {
  const owner = await registered(chancery);
  const person = await registered(chancery);
  const { token } = await brought(owner, person.email, person.token, 'viewer');
  const email = `other.${person.email}`;
  assert.equal((await call('POST', '/api/v1/team/invitations', owner.token, { email, role: 'admin' })).status, 201);
  const invitation = await mailed(email, /token=([\w-]+)/);
  await call('PUT', `${authPath}/profile`, token, { email });
  const code = /\d{6}/.exec((await mailsTo(chancery, email))[0]?.subject ?? '')?.[0];
  assert.equal((await call('POST', `${authPath}/profile/confirm-email`, token, { code })).status, 200);
  assert.equal((await call('DELETE', `/api/v1/team/members/${person.id}`, owner.token)).status, 204);
  const alone = (await signIn(chancery, email)).body.accessToken;
  assert.equal((await call('POST', '/api/v1/team/invitations/accept', alone, { token: invitation })).body.code, 'invalid_invitation');
  assert.deepEqual((await call('GET', '/api/v1/team/invitations/received', alone)).body, []);
});

test('two concurrent acceptances of an invitation on two devices create one member with one role', async () => {
  const owner = await registered(chancery);
  const person = await registered(chancery);
  await call('POST', '/api/v1/team/invitations', owner.token, { email: person.email, role: 'viewer' });
  const token = await mailed(person.email, /token=([\w-]+)/);
  const devices = [
    person.token,
    ...(await Promise.all(Array.from({ length: 7 }, () => signIn(chancery, person.email)))).map(({ body }) => body.accessToken),
  ];
  const answers = await Promise.all(devices.map((device) => call('POST', '/api/v1/team/invitations/accept', device, { token })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.ok(
    answers.every(({ status }) => status < 500),
    'none fails',
  );
  const { body } = await call('GET', '/api/v1/team/members', owner.token);
  assert.deepEqual(
    body.filter((member: { id: string }) => member.id === person.id).map(({ role }: { role: string }) => role),
    ['viewer'],
  );
});

test('the mail about a new device shows the user agent without links', async () => {
  const { email } = await registered(chancery);
  const agent = 'Firefox/126.0 was blocked, undo it: https://evil.example/undo or www.evil.example';
  const answer = await chancery.call('POST', `${authPath}/login`, {
    body: { email, password: goodPassword },
    headers: { 'user-agent': agent },
  });
  assert.equal(answer.status, 200);
  const [mail] = await mailsTo(chancery, email);
  assert.match(mail?.text ?? '', /Firefox/);
  assert.doesNotMatch(mail?.text ?? '', /www\.\S|evil\.example/);
  assert.doesNotMatch(mail?.html ?? '', /evil\.example/);
  const links = [mail?.text.match(/https?:\/\/\S+/g), [...(mail?.html.matchAll(/href="([^"]*)"/g) ?? [])].map(([, href]) => href)];
  const ours = 'http://localhost:8080/app/me';
  assert.deepEqual(links, [[ours], [ours, ours]], 'only the button of the mail');
});

test('a resource that a person creates during their removal goes to the successor or is not created', async () => {
  const team = await chancery.team();
  const successor = await chancery.user(team);
  const form = { title: 'Form', type: 'form', fields: [] };
  const makings: [string, () => object][] = [
    ['/api/v1/smartdoc/folders/', () => ({ name: randomUUIDv7() })],
    ['/api/v1/smartdoc/documents/', () => ({ title: 'Document' })],
    ['/api/v1/registries/', () => ({ name: 'Registry', fields: [{ id: 'name', type: 'text', label: 'Name' }] })],
    ['/api/v1/interfaces/', () => form],
  ];
  for (let round = 0; round < 4; round += 1) {
    const person = await chancery.user(team);
    const begun = Array.from({ length: 48 }, (_, n) => {
      const [path, body] = makings[n % makings.length] ?? assert.fail();
      return call('POST', path, person.token, body());
    });
    const [removed] = await Promise.all([
      call('DELETE', `/api/v1/team/members/${person.id}?successorId=${successor.id}`, team.owner.token),
      ...begun,
    ]);
    assert.equal(removed.status, 204, removed.text);
    const { rows } = await chancery.pool.query(
      `SELECT 'folder' AS kind FROM folder WHERE user_id = $1 UNION ALL SELECT 'document' FROM document WHERE user_id = $1
       UNION ALL SELECT 'registry' FROM registry WHERE user_id = $1 UNION ALL SELECT 'interface' FROM interface WHERE owner_id = $1`,
      [person.id],
    );
    assert.deepEqual(rows, [], `round ${round}`);
    for (const { status } of await Promise.all(begun)) assert.ok([201, 401, 503].includes(status), String(status));
  }
});
