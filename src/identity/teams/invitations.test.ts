import assert from 'node:assert/strict';
import { createHash, randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type User } from '../../../test/harness.ts';
import { dropOldInvitations } from './jobs.ts';

const path = '/api/v1/team/invitations';
let chancery: Chancery;
let guests = 0;
before(async () => {
  chancery = await sharedChancery();
});

const newAddress = () => `Guest.${(guests += 1)}.${randomUUIDv7().slice(-6)}@Example.org`;
const invite = (by: User, email: string, role = 'member', headers: Record<string, string> = {}) =>
  chancery.call('POST', path, { token: by.token, body: { email, role }, headers });
const list = async (by: User, query = '') => (await chancery.call('GET', `${path}${query}`, { token: by.token })).body as any[];
const resend = (by: User, id: string) => chancery.call('POST', `${path}/${id}/resend`, { token: by.token });
const revoke = (by: User, id: string, headers: Record<string, string> = {}) =>
  chancery.call('DELETE', `${path}/${id}`, { token: by.token, headers });
const preview = (token: string) => chancery.call('POST', `${path}/preview`, { body: { token } });
const refusal = ({ status, body }: TestResponse) => [status, body?.code];
const stored = (email: string) => email.replace('Example.org', 'example.org');
const mailsTo = async (email: string) =>
  (await chancery.call('GET', `/dev/mail.json?to=${encodeURIComponent(email)}`)).body as {
    to: string;
    subject: string;
    text: string;
    html: string;
  }[];
const tokenTo = async (email: string) =>
  /accept-invitation#token=([\w-]{64})\b/.exec((await mailsTo(stored(email)))[0]?.text ?? '')?.[1] ?? '';
const age = (id: string, interval: string) =>
  chancery.pool.query(
    'UPDATE invitation SET sent_at = sent_at - $2::interval, expires_at = expires_at - $2::interval, created_at = created_at - $2::interval WHERE id = $1',
    [id, interval],
  );

test('an invitation is mailed as text and HTML, valid for 72 hours, and only the hash of its token is stored', async () => {
  const { owner } = await chancery.team('Tom & "Jerry"');
  const email = newAddress();
  const made = await invite(owner, email, 'viewer');
  assert.equal(made.status, 201);
  const { id, createdAt, sentAt, expiresAt, ...rest } = made.body;
  assert.deepEqual(rest, { email: stored(email), role: 'viewer', status: 'pending', createdBy: owner.id, createdByType: 'user' });
  assert.equal(made.headers.get('location'), `${path}/${id}`);
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.parse(sentAt) - 72 * 3_600_000) < 1_000);
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 120_000);

  const [mail] = await mailsTo(stored(email));
  assert.match(mail?.subject ?? '', /^Ada Number\d+ invites you to join Tom & "Jerry"$/);
  assert.match(mail?.text ?? '', /“Tom & "Jerry"” as a viewer/);
  assert.match(mail?.html ?? '', /Tom &amp; &quot;Jerry&quot;/);
  const token = await tokenTo(email);
  assert.match(mail?.html ?? '', new RegExp(`href="http://localhost:8080/accept-invitation#token=${token}"`));
  assert.doesNotMatch(made.text, new RegExp(token), 'the response does not contain the token');
  const { rows } = await chancery.pool.query('SELECT to_jsonb(i)::text AS row, token_hash FROM invitation i WHERE id = $1', [id]);
  assert.deepEqual(rows[0].token_hash, createHash('sha256').update(token).digest());
  assert.doesNotMatch(rows[0].row, new RegExp(token));
});

test('the journal entry and the event do not contain the address', async () => {
  const { id: team, owner } = await chancery.team();
  const email = newAddress();
  const { body } = await invite(owner, email);
  const { rows } = await chancery.pool.query("SELECT body FROM event WHERE team_id = $1 AND type = 'member.invited'", [team]);
  assert.deepEqual(JSON.parse(rows[0].body).data, { invitationId: body.id, teamId: team, data: { role: 'member' } });
  const journal = await chancery.call('GET', '/api/v1/security/audit?type=member.invited', { token: owner.token });
  assert.deepEqual(journal.body.events[0].target.id, body.id);
  assert.doesNotMatch(journal.text, /guest/i);
});

test('the catalogue of webhook events lists the member events with schemas and examples', async () => {
  const { owner } = await chancery.team();
  const { body } = await chancery.call('GET', '/api/v1/webhooks/event-types', { token: owner.token });
  for (const type of ['member.invited', 'member.joined', 'member.removed', 'member.role_changed']) {
    const found = body.find((entry: any) => (entry.type ?? entry.name) === type);
    assert.ok(found?.schema && found.example && found.description, type);
  }
});

test('administrators invite, resend and delete; members and viewers can neither do this nor see invitations', async () => {
  const team = await chancery.team();
  const admin = await chancery.user(team, { role: 'admin' });
  const { body } = await invite(admin, newAddress(), 'admin');
  for (const role of ['member', 'viewer'] as const) {
    const person = await chancery.user(team, { role });
    for (const answer of [await invite(person, newAddress()), await resend(person, body.id), await revoke(person, body.id)])
      assert.deepEqual(refusal(answer), [403, 'insufficient_scope']);
    assert.deepEqual(refusal(await chancery.call('GET', path, { token: person.token })), [403, 'forbidden']);
    assert.deepEqual(refusal(await chancery.call('GET', `${path}/${body.id}`, { token: person.token })), [403, 'forbidden']);
  }
  assert.equal((await chancery.call('GET', `${path}/${body.id}`, { token: admin.token })).body.role, 'admin');
  assert.equal((await revoke(admin, body.id)).status, 204);
});

test('an administrator who loses the role during a request cannot invite', async () => {
  const team = await chancery.team();
  for (let round = 0; round < 20; round += 1) {
    const admin = await chancery.user(team, { role: 'admin' });
    const email = newAddress();
    const lower = chancery.call('PATCH', `/api/v1/team/members/${admin.id}`, { token: team.owner.token, body: { role: 'viewer' } });
    const [lowered, invited] = await Promise.all([lower, invite(admin, email)]);
    assert.equal(lowered.status, 200);
    assert.ok([201, 403].includes(invited.status), invited.text);
    assert.equal(refusal(await invite(admin, newAddress()))[0], 403);
  }
});

for (const [members, status, code] of [
  [{ email: 'nobody', role: 'member' }, 400, 'validation_failed'],
  [{ email: 'a@b.org\r\nBcc: c@d.org', role: 'member' }, 400, 'validation_failed'],
  [{ email: 'x@example.org', role: 'owner' }, 400, 'validation_failed'],
  [{ email: 'x@example.org', role: 'boss' }, 400, 'validation_failed'],
  [{ email: 'x@example.org' }, 400, 'validation_failed'],
  [{ role: 'member' }, 400, 'validation_failed'],
  [{ email: ['x@example.org'], role: 'member' }, 400, 'validation_failed'],
] as const) {
  test(`inviting ${JSON.stringify(members)} is refused`, async () => {
    const { owner } = await chancery.team();
    assert.deepEqual(refusal(await chancery.call('POST', path, { token: owner.token, body: members })), [status, code]);
  });
}

test('a member cannot be invited; an address with an account elsewhere gets the same response as any other', async () => {
  const team = await chancery.team();
  const member = await chancery.user(team);
  const suspended = await chancery.user(team);
  await chancery.call('PATCH', `/api/v1/team/members/${suspended.id}`, { token: team.owner.token, body: { isActive: false } });
  assert.deepEqual(refusal(await invite(team.owner, member.email.toUpperCase())), [409, 'already_member']);
  assert.deepEqual(refusal(await invite(team.owner, suspended.email)), [409, 'already_member']);
  const elsewhere = (await chancery.team()).owner;
  const [known, unknown] = [await invite(team.owner, elsewhere.email), await invite(team.owner, newAddress())];
  assert.deepEqual([known.status, Object.keys(known.body)], [unknown.status, Object.keys(unknown.body)]);
});

test('a team has one pending invitation for an address, also after 50 concurrent requests; other teams are independent', async () => {
  const { owner } = await chancery.team();
  const email = newAddress();
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => invite(owner, index % 2 ? email : email.toLowerCase())));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array.from({ length: 49 }, () => 409)]);
  assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'already_invited');
  assert.equal((await mailsTo(stored(email))).length, 1);
  assert.equal((await list(owner)).length, 1);
  assert.equal((await invite((await chancery.team()).owner, email)).status, 201);
});

test('a repeated request with an Idempotency-Key invites once', async () => {
  const { owner } = await chancery.team();
  const email = newAddress();
  const headers = { 'idempotency-key': randomUUIDv7() };
  const [first, second] = [await invite(owner, email, 'member', headers), await invite(owner, email, 'member', headers)];
  assert.deepEqual([second.status, second.body], [201, first.body]);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
});

test('a team has at most 100 pending invitations, also after concurrent requests', async () => {
  const { id: team, owner } = await chancery.team();
  await chancery.pool.query(
    `INSERT INTO invitation (team_id, id, email, email_key, role, token_hash, invited_by, expires_at)
     SELECT $1::uuid, gen_random_uuid(), n || '@example.org', n || '@example.org', 'member', sha256(n::text::bytea), $2::uuid, now() + interval '1 day' FROM generate_series(1, 95) n`,
    [team, owner.id],
  );
  const answers = await Promise.all(Array.from({ length: 20 }, () => invite(owner, newAddress())));
  assert.equal(answers.filter(({ status }) => status === 201).length, 5);
  assert.deepEqual(refusal(answers.find(({ status }) => status === 409) ?? answers[0]!), [409, 'invitation_limit']);
});

test('the list shows pending invitations, or those with the requested status, in pages', async () => {
  const { owner } = await chancery.team();
  const [a, b, c, d] = [
    (await invite(owner, newAddress())).body,
    (await invite(owner, newAddress())).body,
    (await invite(owner, newAddress())).body,
    (await invite(owner, newAddress())).body,
  ];
  await revoke(owner, a.id);
  await age(b.id, '73 hours');
  const ids = (found: any[]) => found.map(({ id, status }) => [id, status]);
  assert.deepEqual(ids(await list(owner)), [
    [b.id, 'expired'],
    [c.id, 'pending'],
    [d.id, 'pending'],
  ]);
  assert.deepEqual(ids(await list(owner, '?status=revoked&status=expired')), [
    [a.id, 'revoked'],
    [b.id, 'expired'],
  ]);
  const page = await chancery.call('GET', `${path}?limit=2`, { token: owner.token });
  assert.equal(page.body.length, 2);
  const next = /<http:\/\/localhost:8080([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual(ids((await chancery.call('GET', next, { token: owner.token })).body), [[d.id, 'pending']]);
  assert.equal((await chancery.call('GET', `${path}?status=odd`, { token: owner.token })).status, 400);
});

test('resending replaces the link, at most once a minute, and renews an expired invitation', async () => {
  const { owner } = await chancery.team();
  const email = newAddress();
  const { body } = await invite(owner, email);
  const first = await tokenTo(email);
  const early = await resend(owner, body.id);
  assert.deepEqual(refusal(early), [429, 'rate_limited']);
  assert.ok(Number(early.headers.get('retry-after')) > 50);
  await age(body.id, '73 hours');
  assert.deepEqual(refusal(await preview(first)), [400, 'invalid_invitation']);
  const again = await resend(owner, body.id);
  assert.deepEqual([again.status, again.body.status], [200, 'pending']);
  const second = await tokenTo(email);
  assert.notEqual(second, first);
  assert.deepEqual(refusal(await preview(first)), [400, 'invalid_invitation']);
  assert.equal((await preview(second)).status, 200);
  await age(body.id, '2 minutes');
  const raced = await Promise.all(Array.from({ length: 50 }, () => resend(owner, body.id)));
  assert.equal(raced.filter(({ status }) => status === 200).length, 1, 'of 50 concurrent requests one sends a mail');
});

test('an address with an expired invitation can be invited again', async () => {
  const { owner } = await chancery.team();
  const email = newAddress();
  const { body } = await invite(owner, email);
  await age(body.id, '73 hours');
  assert.equal((await invite(owner, email, 'admin')).status, 201);
  assert.deepEqual(
    (await list(owner)).map(({ role }) => role),
    ['admin'],
  );
});

test('a deleted invitation cannot be accepted, deleted or resent, and its address can be invited again', async () => {
  const { owner } = await chancery.team();
  const email = newAddress();
  const made = await invite(owner, email);
  const token = await tokenTo(email);
  const etag = made.headers.get('etag') ?? '';
  assert.equal((await revoke(owner, made.body.id, { 'if-match': '"99"' })).status, 412);
  assert.equal((await revoke(owner, made.body.id, { 'if-match': etag })).status, 204);
  assert.deepEqual(refusal(await preview(token)), [400, 'invalid_invitation']);
  assert.deepEqual(refusal(await revoke(owner, made.body.id)), [409, 'invitation_ended']);
  assert.deepEqual(refusal(await resend(owner, made.body.id)), [409, 'invitation_ended']);
  assert.equal((await invite(owner, email)).status, 201);
});

test('an invitation of another team and an invalid identifier are 404', async () => {
  const { owner } = await chancery.team();
  const stranger = (await chancery.team()).owner;
  const { body } = await invite(owner, newAddress());
  for (const id of [body.id, randomUUIDv7(), 'x']) {
    const answers = [
      await chancery.call('GET', `${path}/${id}`, { token: stranger.token }),
      await resend(stranger, id),
      await revoke(stranger, id),
    ];
    for (const answer of answers) assert.deepEqual(refusal(answer), [404, 'not_found']);
  }
  assert.deepEqual(await list(stranger), []);
});

test('an address gets at most 5 invitations an hour from all teams, and the sixth is not stored', async () => {
  const email = newAddress();
  for (let sent = 0; sent < 5; sent += 1) assert.equal((await invite((await chancery.team()).owner, email)).status, 201);
  const { owner } = await chancery.team();
  const sixth = await invite(owner, email);
  assert.deepEqual(refusal(sixth), [429, 'rate_limited']);
  assert.ok(Number(sixth.headers.get('retry-after')) > 0);
  assert.deepEqual(await list(owner), []);
  assert.equal((await mailsTo(stored(email))).length, 5);
  const registered = { email, firstName: 'Eve', lastName: 'Guest', password: 'CorrectHorse9Battery' };
  await chancery.call('POST', '/api/v1/security/auth/register', { body: registered });
  assert.match((await mailsTo(stored(email)))[0]?.subject ?? '', /confirmation code/, 'its other mails are not delayed');
});

test('invitations are deleted with their address 30 days after they ended or expired', async () => {
  const { owner } = await chancery.team();
  const [kept, expired, ended] = [
    (await invite(owner, newAddress())).body,
    (await invite(owner, newAddress())).body,
    (await invite(owner, newAddress())).body,
  ];
  await age(expired.id, '34 days');
  await revoke(owner, ended.id);
  await chancery.pool.query("UPDATE invitation SET ended_at = now() - interval '31 days' WHERE id = $1", [ended.id]);
  await dropOldInvitations(chancery.database, new Date());
  assert.deepEqual(
    (await list(owner, '?status=pending&status=expired&status=revoked')).map(({ id }) => id),
    [kept.id],
  );
});
