import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type TestResponse, type Chancery, startChancery, type User } from '../../../test/harness.ts';
import { outcomeOrWait } from '../../../test/signals.ts';

const path = '/api/v1/team/invitations';
const auth = '/api/v1/security/auth';
const password = 'CorrectHorse9Battery';
const person = { firstName: 'Grace', lastName: 'Hopper', password };
let chancery: Chancery;
let guests = 0;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => chancery.stop());

/** Each address is new, because wrong links are counted by network. */
let machines = 0;
const from = () => ({ 'x-forwarded-for': `198.51.${(machines += 1) >> 8}.${machines & 255}` });
const newAddress = () => `guest.${(guests += 1)}.${randomUUIDv7().slice(-6)}@example.org`;
const refusal = ({ status, body }: TestResponse) => [status, body?.code];
const invite = async (by: User, email: string, role = 'member') => {
  const made = await chancery.call('POST', path, { token: by.token, body: { email, role } });
  assert.equal(made.status, 201, made.text);
  return { id: made.body.id as string, token: await tokenTo(email) };
};
const mailsTo = async (email: string) =>
  (await chancery.call('GET', `/dev/mail.json?to=${encodeURIComponent(email)}`)).body as { subject: string; text: string; html: string }[];
const tokenTo = async (email: string) => {
  const mails = await mailsTo(email);
  return mails.map(({ text }) => /accept-invitation#token=([\w-]{64})\b/.exec(text)?.[1]).find(Boolean) ?? '';
};
const accept = (body: Record<string, unknown>, token?: string, headers: Record<string, string> = from()) =>
  chancery.call('POST', `${path}/accept`, { body, headers, ...(token === undefined ? {} : { token }) });
const profile = (token: string) => chancery.call('GET', `${auth}/profile`, { token });
const login = (email: string, secret = password) => chancery.call('POST', `${auth}/login`, { body: { email, password: secret } });
const cookieOf = (answer: TestResponse) => /refresh_token=([^;]*)/.exec(answer.headers.getSetCookie().join('\n'))?.[1] ?? '';
const members = async (by: User) => (await chancery.call('GET', '/api/v1/team/members', { token: by.token })).body as any[];
const register = (email: string) => chancery.call('POST', `${auth}/register`, { body: { email, ...person } });
const code = async (email: string) => /(\d{6})/.exec((await mailsTo(email))[0]?.subject ?? '')?.[1] ?? '';
const verify = async (email: string) => chancery.call('POST', `${auth}/verify-email`, { body: { email, code: await code(email) } });

/** Registers a user who owns a team alone. */
async function registered(): Promise<{ email: string; token: string; id: string; team: string; refreshToken: string }> {
  const email = newAddress();
  await register(email);
  const verified = await verify(email);
  assert.equal(verified.status, 200, verified.text);
  return {
    email,
    token: verified.body.accessToken,
    id: verified.body.user.id,
    team: verified.body.user.teamId,
    refreshToken: cookieOf(verified),
  };
}

test('the preview shows team, address and role, and whether to sign in or to register', async () => {
  const team = await chancery.team('Notaries');
  const fresh = newAddress();
  const unknown = await chancery.call('POST', `${path}/preview`, { body: { token: (await invite(team.owner, fresh, 'admin')).token } });
  assert.equal(unknown.status, 200);
  assert.deepEqual(
    { ...unknown.body, expiresAt: '' },
    { teamName: 'Notaries', email: fresh, role: 'admin', expiresAt: '', hasAccount: false },
  );
  const { email } = await registered();
  const known = await chancery.call('POST', `${path}/preview`, { body: { token: (await invite(team.owner, email)).token } });
  assert.equal(known.body.hasAccount, true);
});

test('accepting without an account registers and signs in a member with the invited role', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const { id, token } = await invite(team.owner, email, 'viewer');
  const accepted = await accept({ token, ...person });
  assert.equal(accepted.status, 201);
  assert.deepEqual(Object.keys(accepted.body).toSorted(), ['accessToken', 'user']);
  assert.deepEqual(accepted.body.user, { id: accepted.body.user.id, email, firstName: 'Grace', lastName: 'Hopper', teamId: team.id });
  const me = await profile(accepted.body.accessToken);
  assert.deepEqual([me.body.role, me.body.teamId], ['viewer', team.id]);
  const renewed = await chancery.call('POST', `${auth}/refresh`, { body: { refreshToken: cookieOf(accepted) } });
  assert.equal(renewed.status, 200, 'the refresh cookie is valid');
  assert.equal((await login(email)).status, 200, 'no confirmation by code is needed');
  assert.ok((await members(team.owner)).some((member) => member.id === accepted.body.user.id && member.role === 'viewer'));

  const listed = await chancery.call('GET', `${path}/${id}`, { token: team.owner.token });
  assert.deepEqual([listed.body.status, listed.body.acceptedBy], ['accepted', accepted.body.user.id]);
  const { rows } = await chancery.pool.query("SELECT body FROM event WHERE team_id = $1 AND type = 'member.joined'", [team.id]);
  assert.deepEqual(JSON.parse(rows[0].body).data, {
    userId: accepted.body.user.id,
    teamId: team.id,
    data: { role: 'viewer', invitationId: id },
  });
  const journal = await chancery.call('GET', `/api/v1/security/audit?actorId=${accepted.body.user.id}`, { token: team.owner.token });
  assert.deepEqual([...new Set(journal.body.events.map(({ type }: any) => type))].toSorted(), [
    'login.succeeded',
    'member.joined',
    'user.email_verified',
    'user.registered',
  ]);
});

test('unknown, used, deleted, replaced and expired links, and those of a suspended team, get the same error', async () => {
  const team = await chancery.team();
  const [used, revoked, expired] = [
    await invite(team.owner, newAddress()),
    await invite(team.owner, newAddress()),
    await invite(team.owner, newAddress()),
  ];
  assert.equal((await accept({ token: used.token, ...person })).status, 201);
  await chancery.call('DELETE', `${path}/${revoked.id}`, { token: team.owner.token });
  await chancery.pool.query("UPDATE invitation SET expires_at = now() - interval '1 second' WHERE id = $1", [expired.id]);
  const gone = await chancery.team();
  const suspended = await invite(gone.owner, newAddress());
  await chancery.pool.query("UPDATE team SET status = 'suspended' WHERE team_id = $1", [gone.id]);
  const other = await registered();
  const texts = new Set<string>();
  for (const token of ['x', 'A'.repeat(64), used.token, revoked.token, expired.token, suspended.token]) {
    for (const answer of [
      await accept({ token, ...person }),
      await accept({ token }),
      await accept({ token }, other.token),
      await chancery.call('POST', `${path}/preview`, { body: { token }, headers: from() }),
    ]) {
      assert.deepEqual(refusal(answer), [400, 'invalid_invitation']);
      const { request_id, trace_id, instance, ...same } = answer.body;
      assert.ok(request_id && trace_id && instance);
      texts.add(JSON.stringify(same));
    }
  }
  assert.equal(texts.size, 1, 'all responses are the same');
});

test('wrong links are throttled by network, and other networks are not affected', async () => {
  const team = await chancery.team();
  const { token } = await invite(team.owner, newAddress());
  const guesser = from();
  const answers: TestResponse[] = [];
  for (let guess = 0; guess < 35; guess += 1) answers.push(await accept({ token: randomUUIDv7() }, undefined, guesser));
  const last = answers.at(-1);
  assert.deepEqual(last && refusal(last), [429, 'rate_limited']);
  assert.ok(Number(last?.headers.get('retry-after')) > 0);
  assert.equal(answers.filter(({ status }) => status === 400).length, 30);
  assert.equal((await accept({ token, ...person }, undefined, guesser)).status, 429, 'a valid link is throttled as well');
  assert.equal((await accept({ token, ...person })).status, 201);
});

test('a rejected name or password does not use the link, and the error names missing members', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const { token } = await invite(team.owner, email);
  for (const [given, pointer, rule] of [
    [{ ...person, password: 'short' }, '/password', 'min_length'],
    [{ ...person, password: 'password1' }, '/password', 'password_common'],
    [{ ...person, password: email }, '/password', 'password_contains_identity'],
    [{ ...person, lastName: ' ' }, '/lastName', 'name'],
    [{ firstName: 'Grace', lastName: 'Hopper' }, '/password', 'required'],
    [{}, '/firstName', 'required'],
    [{ ...person, firstName: 5 }, '/firstName', 'type'],
  ] as const) {
    const answer = await accept({ token, ...given });
    assert.deepEqual([answer.status, answer.body.errors?.[0]?.pointer, answer.body.errors?.[0]?.rule], [400, pointer, rule], answer.text);
  }
  for (const firstName of ['see https://evil.example', 'www.evil', 'evil.example'])
    assert.deepEqual(refusal(await accept({ token, ...person, firstName })), [422, 'name_has_link'], firstName);
  for (const more of [{ role: 'owner' }, { teamId: randomUUIDv7() }])
    assert.deepEqual((await accept({ token, ...person, ...more })).body.errors?.[0]?.rule, 'unknown');
  assert.equal((await accept({ token, ...person })).status, 201);
  assert.equal((await members(team.owner)).at(-1).role, 'member', 'the invitation decides, not the body');
});

test('of 50 concurrent acceptances of one invitation, one creates a member', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const { token } = await invite(team.owner, email);
  const answers = await Promise.all(Array.from({ length: 50 }, () => accept({ token, ...person })));
  assert.deepEqual(
    answers.filter(({ status }) => status === 201).length,
    1,
    answers.map(({ status, body }) => `${status} ${body.code}`).join(),
  );
  for (const answer of answers.filter(({ status }) => status !== 201))
    assert.ok(['invalid_invitation', 'account_exists'].includes(answer.body.code), answer.text);
  assert.equal((await members(team.owner)).length, 2);
  const { rows } = await chancery.pool.query("SELECT count(*)::int AS n FROM event WHERE team_id = $1 AND type = 'member.joined'", [
    team.id,
  ]);
  assert.equal(rows[0].n, 1);
});

test('an address with an account must sign in to accept, and no second account is registered', async () => {
  const team = await chancery.team();
  const { email } = await registered();
  const { token } = await invite(team.owner, email);
  assert.deepEqual(refusal(await accept({ token, ...person })), [409, 'account_exists']);
  assert.deepEqual(refusal(await accept({ token })), [409, 'account_exists']);
  assert.equal((await members(team.owner)).length, 1);
});

test('a signed-in invited user joins; their empty team closes, and their id, password and assurance level stay', async () => {
  const team = await chancery.team();
  const joiner = await registered();
  const second = await login(joiner.email);
  const { token: link } = await invite(team.owner, joiner.email.replace('guest', 'GUEST'), 'admin');
  const inviteFromOwn = await invite({ token: joiner.token } as User, newAddress());
  await chancery.pool.query(
    "UPDATE sign_in SET auth_time = now() - interval '40 days', acr = 'aal2', amr = '{pwd,otp}', expires_at = now() + interval '50 days' WHERE person_id = $1 AND revoked_at IS NULL",
    [joiner.id],
  );
  const {
    rows: [proven],
  } = await chancery.pool.query('SELECT max(auth_time) AS auth_time, max(expires_at) AS expires_at FROM sign_in WHERE person_id = $1', [
    joiner.id,
  ]);
  await chancery.pool.query("SELECT pg_notify('revoked', '*')");

  const accepted = await accept({ token: link }, joiner.token);
  assert.equal(accepted.status, 200, accepted.text);
  assert.deepEqual(accepted.body.user, { id: joiner.id, email: joiner.email, firstName: 'Grace', lastName: 'Hopper', teamId: team.id });
  const me = await profile(accepted.body.accessToken);
  assert.deepEqual([me.body.id, me.body.role, me.body.teamId], [joiner.id, 'admin', team.id]);
  for (const dead of [joiner.token, second.body.accessToken]) assert.equal((await profile(dead)).status, 401);
  const closed = await chancery.call('POST', `${auth}/refresh`, { body: { refreshToken: joiner.refreshToken } });
  assert.deepEqual(refusal(closed), [403, 'team_closed']);
  assert.equal((await chancery.call('POST', `${auth}/refresh`, { body: { refreshToken: cookieOf(accepted) } })).status, 200);
  assert.equal((await login(joiner.email)).body.user.teamId, team.id);

  const { rows } = await chancery.pool.query('SELECT status FROM team WHERE team_id = $1', [joiner.team]);
  assert.equal(rows[0].status, 'closed');
  assert.deepEqual(
    refusal(await accept({ token: inviteFromOwn.token, ...person })),
    [400, 'invalid_invitation'],
    'the closed team accepts no members',
  );
  const session = await chancery.pool.query(
    `SELECT i.auth_time, i.acr, i.amr, i.expires_at FROM session s JOIN sign_in i ON i.id = s.id
     WHERE s.team_id = $1 AND s.account_id = $2 ORDER BY s.created_at LIMIT 1`,
    [team.id, joiner.id],
  );
  assert.deepEqual(session.rows[0], { auth_time: proven.auth_time, acr: 'aal2', amr: ['pwd', 'otp'], expires_at: proven.expires_at });
});

test('only the invited address can accept an invitation', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const { token } = await invite(team.owner, email);
  const thief = await registered();
  assert.deepEqual(refusal(await accept({ token }, thief.token)), [403, 'invitation_for_another_address']);
  assert.equal((await profile(thief.token)).status, 200);
  assert.equal((await accept({ token, ...person })).status, 201, 'the link is still valid for the invited address');
});

test('a bad access token is rejected, not ignored', async () => {
  const { owner } = await chancery.team();
  const { token } = await invite(owner, newAddress());
  assert.deepEqual(refusal(await accept({ token, ...person }, 'not.a.token')), [401, 'invalid_token']);
  assert.equal((await members(owner)).length, 1);
});

test('an owner keeps a team with other members or with content when they accept an invitation, and an empty one closes', async () => {
  const post = (owner: User, url: string, body: object) => chancery.call('POST', url, { token: owner.token, body });
  const contents: Record<string, (owner: User) => Promise<unknown>> = {
    'a member': (owner) => chancery.user(owner.team),
    'a folder': (owner) => chancery.folder(owner),
    'a document': (owner) => chancery.document(owner),
    'a task': (owner) => post(owner, '/api/v1/tasks/', { title: 'T' }),
    'an endpoint': (owner) => post(owner, '/api/v1/webhooks/', { name: 'W', url: 'https://receiver.example/x', events: ['*'] }),
    'a workflow': (owner) =>
      post(owner, '/api/v1/workflows/', { name: 'W', documentId: randomUUIDv7(), steps: [{ id: 'a', type: 'task' }] }),
    nothing: async () => undefined,
  };
  for (const [content, make] of Object.entries(contents)) {
    const [{ owner }, other] = [await chancery.team(), await chancery.team()];
    await make(owner);
    const accepted = await accept({ token: (await invite(other.owner, owner.email)).token }, owner.token);
    assert.equal(accepted.status, 200, accepted.text);
    const { body } = await chancery.call('GET', `${auth}/teams`, { token: accepted.body.accessToken });
    const ids = body.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, content === 'nothing' ? [other.id] : [owner.team, other.id], content);
    const { rows } = await chancery.pool.query('SELECT status FROM team WHERE team_id = $1', [owner.team]);
    assert.equal(rows[0].status, content === 'nothing' ? 'closed' : 'active', content);
  }
});

test('accepting waits for concurrent additions to the owner’s team and counts them as content', async () => {
  const team = await chancery.team();
  const { owner } = await chancery.team();
  const { token } = await invite(team.owner, owner.email);
  const client = await chancery.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("INSERT INTO folder (team_id, id, user_id, name, name_key) VALUES ($1, gen_random_uuid(), $2, 'Late', 'late')", [
      owner.team,
      owner.id,
    ]);
    const accepting = accept({ token }, owner.token);
    assert.equal(await outcomeOrWait(client, accepting), 'waits');
    await client.query('COMMIT');
    assert.equal((await accepting).status, 200);
    const { rows } = await chancery.pool.query('SELECT status FROM team WHERE team_id = $1', [owner.team]);
    assert.equal(rows[0].status, 'active');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('a member of another team accepts an invitation and is a member of both', async () => {
  const team = await chancery.team();
  const elsewhere = await chancery.team();
  const email = newAddress();
  const member = await accept({ token: (await invite(elsewhere.owner, email)).token, ...person });
  const { token } = await invite(team.owner, email);
  const joined = await accept({ token }, member.body.accessToken);
  assert.deepEqual([joined.status, joined.body.user.teamId, joined.body.user.id], [200, team.id, member.body.user.id]);
  for (const [accessToken, id] of [
    [member.body.accessToken, elsewhere.id],
    [joined.body.accessToken, team.id],
  ])
    assert.equal((await profile(accessToken)).body.teamId, id);
});

test('a removed member can be invited again and keeps their id', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const first = await accept({ token: (await invite(team.owner, email, 'admin')).token, ...person });
  const { id } = first.body.user;
  const task = await chancery.call('POST', '/api/v1/tasks/', { token: team.owner.token, body: { title: 'T', assignedTo: id } });
  await chancery.call('POST', `/api/v1/tasks/${task.body.id}/complete`, { token: first.body.accessToken, body: {} });
  for (let round = 0; round < 2; round += 1) {
    assert.equal((await chancery.call('DELETE', `/api/v1/team/members/${id}`, { token: team.owner.token })).status, 204);
    const own = await login(email);
    assert.notEqual(own.body.user.teamId, team.id);
    const back = await accept({ token: (await invite(team.owner, email)).token }, own.body.accessToken);
    assert.equal(back.status, 200, back.text);
    const me = await profile(back.body.accessToken);
    assert.deepEqual([me.body.id, me.body.role, me.body.firstName, me.body.email], [id, 'member', 'Grace', email]);
  }
  assert.equal((await chancery.call('GET', `/api/v1/tasks/${task.body.id}`, { token: team.owner.token })).body.completedBy, id);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM account WHERE id = $1 AND deleted_at IS NULL', [id]);
  assert.equal(rows[0].n, 1);
});

test('a password reset link requested before the change of team still works', async () => {
  const team = await chancery.team();
  const joiner = await registered();
  await chancery.call('POST', `${auth}/request-password-reset`, { body: { email: joiner.email } });
  const reset = /reset-password#token=([\w-]{43})/.exec((await mailsTo(joiner.email))[0]?.text ?? '')?.[1];
  const { token } = await invite(team.owner, joiner.email);
  assert.equal((await accept({ token }, joiner.token)).status, 200);
  const set = await chancery.call('POST', `${auth}/reset-password`, { body: { token: reset, password: 'AnotherHorse9Battery' } });
  assert.equal(set.status, 200, set.text);
  assert.equal((await login(joiner.email, 'AnotherHorse9Battery')).body.user.teamId, team.id);
});

test('registering with a code creates an own team, reports a pending invitation, and a second request accepts it', async () => {
  const team = await chancery.team('Inviting & Partners');
  const older = await chancery.team('Older');
  const email = newAddress();
  const earlier = await invite(older.owner, email, 'admin');
  const { id } = await invite(team.owner, email, 'viewer');
  assert.equal((await register(email)).status, 201);
  const verified = await verify(email);
  const token = verified.body.accessToken;
  assert.equal(verified.status, 200, verified.text);
  assert.ok(![team.id, older.id].includes(verified.body.user.teamId));
  assert.equal((await profile(token)).body.role, 'owner');
  assert.match(verified.headers.get('link') ?? '', /^<[^>]+\/api\/v1\/team\/invitations\/received>; rel="related"/);
  assert.deepEqual([(await members(team.owner)).length, (await members(older.owner)).length], [1, 1], 'neither team gained a member');

  const list = await chancery.call('GET', `${path}/received`, { token });
  assert.deepEqual(
    list.body.map(({ id: one, teamName, role }: any) => [one, teamName, role]),
    [
      [id, 'Inviting & Partners', 'viewer'],
      [earlier.id, 'Older', 'admin'],
    ],
  );
  const stranger = await registered();
  assert.deepEqual((await chancery.call('GET', `${path}/received`, { token: stranger.token })).body, []);
  const by = (invitationId: string, as?: string) =>
    chancery.call('POST', `${path}/accept`, { body: { invitationId }, ...(as === undefined ? {} : { token: as }) });
  assert.deepEqual(refusal(await by(id, stranger.token)), [404, 'not_found']);
  assert.deepEqual(refusal(await by(id)), [401, 'unauthenticated']);
  assert.deepEqual(refusal(await accept({ token: 'x', invitationId: id }, token)), [400, 'validation_failed']);
  assert.deepEqual(refusal(await accept({}, token)), [400, 'validation_failed']);
  // Of 50 concurrent requests, one joins.
  const joined = (await Promise.all(Array.from({ length: 50 }, () => by(id, token)))).filter(({ status }) => status === 200);
  assert.equal(joined.length, 1);
  const now = await profile(joined[0]?.body.accessToken);
  assert.deepEqual([now.body.teamId, now.body.role, now.body.id], [team.id, 'viewer', verified.body.user.id]);
  assert.equal((await chancery.call('GET', `${path}/${id}`, { token: team.owner.token })).body.status, 'accepted');
  const { rows } = await chancery.pool.query("SELECT body FROM event WHERE team_id = $1 AND type = 'member.joined'", [team.id]);
  assert.deepEqual(JSON.parse(rows[0].body).data.data, { role: 'viewer', invitationId: id });
});

test('a registration without an invitation reports none', async () => {
  const email = newAddress();
  await register(email);
  assert.equal((await verify(email)).headers.get('link'), null);
});

test('confirming a code does not accept an expired or deleted invitation', async () => {
  const team = await chancery.team();
  const [late, revoked] = [newAddress(), newAddress()];
  await chancery.pool.query('UPDATE invitation SET expires_at = now() WHERE id = $1', [(await invite(team.owner, late)).id]);
  await chancery.call('DELETE', `${path}/${(await invite(team.owner, revoked)).id}`, { token: team.owner.token });
  for (const email of [late, revoked]) {
    await register(email);
    const verified = await verify(email);
    assert.notEqual(verified.body.user.teamId, team.id);
    assert.equal((await profile(verified.body.accessToken)).body.role, 'owner');
  }
});

test('accepting an invitation deletes a registration that another client started for the address', async () => {
  const team = await chancery.team();
  const email = newAddress();
  await chancery.call('POST', `${auth}/register`, { body: { email, ...person, password: 'AttackersHorse9' } });
  const planted = await code(email);
  const { token } = await invite(team.owner, email);
  assert.equal((await accept({ token, ...person })).status, 201);
  assert.equal((await login(email, 'AttackersHorse9')).status, 401);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM registration WHERE email_key = $1', [email]);
  assert.equal(rows[0].n, 0, 'the registration is deleted, so it cannot complete when the address becomes free');
  const late = await chancery.call('POST', `${auth}/verify-email`, { body: { email, code: planted } });
  assert.deepEqual(refusal(late), [400, 'invalid_or_expired_code']);
});

test('accepting by link and registering by code concurrently creates one account', async () => {
  for (let round = 0; round < 10; round += 1) {
    const team = await chancery.team();
    const email = newAddress();
    await register(email);
    const digits = await code(email);
    const { token } = await invite(team.owner, email);
    const [byLink, byCode] = await Promise.all([
      accept({ token, ...person }),
      chancery.call('POST', `${auth}/verify-email`, { body: { email, code: digits } }),
    ]);
    assert.deepEqual([byLink.status, byCode.status].filter((status) => status < 300).length, 1, `${byLink.text} ${byCode.text}`);
    const lost = byLink.status < 300 ? byCode : byLink;
    assert.ok(['invalid_or_expired_code', 'invalid_invitation', 'account_exists'].includes(lost.body.code), lost.text);
    const { rows } = await chancery.pool.query('SELECT team_id FROM account WHERE email_key = $1', [email]);
    assert.equal(rows.length, 1);
    // The link joins the team; the code creates an own team.
    assert.equal(rows[0].team_id === team.id, byLink.status < 300);
  }
});

test('an invitation deleted during its acceptance is either deleted or accepted, never both', async () => {
  for (let round = 0; round < 15; round += 1) {
    const team = await chancery.team();
    const { id, token } = await invite(team.owner, newAddress());
    const [accepted, revoked] = await Promise.all([
      accept({ token, ...person }),
      chancery.call('DELETE', `${path}/${id}`, { token: team.owner.token }),
    ]);
    assert.deepEqual([accepted.status === 201, revoked.status === 204].filter(Boolean).length, 1);
    assert.equal((await members(team.owner)).length, accepted.status === 201 ? 2 : 1);
  }
});

test('an invitation sent again while its old link is accepted: only one of the two succeeds', async () => {
  for (let round = 0; round < 15; round += 1) {
    const team = await chancery.team();
    const { id, token } = await invite(team.owner, newAddress());
    await chancery.pool.query("UPDATE invitation SET sent_at = now() - interval '2 minutes' WHERE id = $1", [id]);
    const [accepted, resent] = await Promise.all([
      accept({ token, ...person }),
      chancery.call('POST', `${path}/${id}/resend`, { token: team.owner.token }),
    ]);
    assert.equal([accepted.status === 201, resent.status === 200].filter(Boolean).length, 1, `${accepted.text} ${resent.text}`);
  }
});

test('one person who accepts the invitations of five teams at once, each twice, joins each once', async () => {
  const joiner = await registered();
  const folder = await chancery.call('POST', '/api/v1/smartdoc/folders', { token: joiner.token, body: { name: 'Own work' } });
  assert.equal(folder.status, 201, folder.text);
  const teams = await Promise.all(Array.from({ length: 5 }, () => chancery.team()));
  for (const { owner } of teams) await invite(owner, joiner.email);
  const links = (await mailsTo(joiner.email))
    .map(({ text }) => /accept-invitation#token=([\w-]{64})/.exec(text)?.[1] ?? '')
    .filter((link) => link !== '');
  assert.equal(links.length, 5);
  const answers = await Promise.all([...links, ...links].map((token) => accept({ token }, joiner.token)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 5, answers.map(({ status }) => status).join());
  const { rows } = await chancery.pool.query('SELECT team_id FROM account WHERE email_key = $1 AND deleted_at IS NULL', [joiner.email]);
  assert.deepEqual(rows.map((row) => row.team_id).toSorted(), [joiner.team, ...teams.map(({ id }) => id)].toSorted());
});

test('removal while accepting: the person has a team, wherever the race ends', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [present, to] = [await chancery.team(), await chancery.team()];
    const email = newAddress();
    const member = await accept({ token: (await invite(present.owner, email)).token, ...person });
    const { token } = await invite(to.owner, email);
    const { id } = member.body.user;
    const [removed, accepted] = await Promise.all([
      chancery.call('DELETE', `/api/v1/team/members/${id}`, { token: present.owner.token }),
      accept({ token }, member.body.accessToken),
    ]);
    assert.equal(removed.status, 204, removed.text);
    assert.ok([200, 401].includes(accepted.status), accepted.text);
    const { rows } = await chancery.pool.query('SELECT team_id, role FROM account WHERE id = $1 AND deleted_at IS NULL', [id]);
    const joined = rows.some((row) => row.team_id === to.id);
    assert.equal(joined, accepted.status === 200);
    assert.ok(joined || rows[0].role === 'owner');
    assert.equal((await login(email)).status, 200);
  }
});

test('of two owners who accept each other’s invitation concurrently, one joins and the other keeps their team', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [a, b] = [(await chancery.team()).owner, (await chancery.team()).owner];
    const [toA, toB] = [await invite(b, a.email), await invite(a, b.email)];
    const answers = await Promise.all([accept({ token: toA.token }, a.token), accept({ token: toB.token }, b.token)]);
    const [won, lost] = [...answers].toSorted((x, y) => x.status - y.status);
    assert.equal(won?.status, 200, won?.text ?? '');
    // The rejection comes from the new state, not from a deadlock.
    assert.ok(['invalid_token', 'invalid_invitation'].includes(lost?.body.code), lost?.text ?? '');
    const { rows } = await chancery.pool.query(
      'SELECT t.status, array_agg(p.role ORDER BY p.role) AS roles FROM team t JOIN account p ON p.team_id = t.team_id AND p.deleted_at IS NULL WHERE t.team_id IN ($1, $2) GROUP BY t.team_id, t.status',
      [a.team, b.team],
    );
    assert.deepEqual(rows, [{ status: 'active', roles: ['member', 'owner'] }]);
  }
});

test('mails to strangers contain no links from names of users and teams, neither new nor old', async () => {
  const { owner, id } = await chancery.team();
  for (const name of ['www.evil.example', 'Sign in at evil.example now', 'https://evil']) {
    const renamed = await chancery.call('PATCH', '/api/v1/team', { token: owner.token, body: { name } });
    assert.ok([400, 422].includes(renamed.status), name);
    const changed = await chancery.call('PUT', `${auth}/profile`, { token: owner.token, body: { firstName: name } });
    assert.deepEqual(refusal(changed), [422, 'name_has_link'], name);
    const { status } = await chancery.call('POST', `${auth}/register`, { body: { email: newAddress(), ...person, lastName: name } });
    assert.equal(status, 422, name);
  }
  await chancery.pool.query("UPDATE team SET name = 'See evil.example/win' WHERE team_id = $1", [id]);
  await chancery.pool.query("UPDATE person SET first_name = 'www.evil.example', last_name = 'http://evil.example' WHERE id = $1", [
    owner.id,
  ]);
  const email = newAddress();
  await invite(owner, email);
  const [mail] = await mailsTo(email);
  assert.ok(mail?.text.includes('evil'));
  for (const text of [mail?.subject, mail?.text, mail?.html]) assert.doesNotMatch(text ?? '', /evil\.example|www\.evil|:\/\/evil/);
});
