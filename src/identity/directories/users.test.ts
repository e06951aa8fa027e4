import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { directoriesPath, type DirectoryWorld, enterprise, scimCall, withDirectory } from '../../../test/directories.ts';
import { type Chancery, sharedChancery, type TestResponse } from '../../../test/harness.ts';
import { insertMember, insertSessions } from '../../../test/memberships.ts';
import { authPath, cookieOf, mailsTo, registered, signIn } from '../../../test/people.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer.body;
};
/** The status, the type of the error and the schema of a SCIM error. */
const refusal = ({ status, body }: TestResponse) => [status, body?.scimType];
const notUnique = [409, 'uniqueness'];
const replace = (value: unknown, path?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', ...(path === undefined ? {} : { path }), value }],
});
const off = replace({ active: false });
const on = replace({ active: true });
const patch = (world: DirectoryWorld, user: { id: string }, body: unknown) => world.scim('PATCH', `/Users/${user.id}`, body);
const get = async (world: DirectoryWorld, user: { id: string }) => world.scim('GET', `/Users/${user.id}`);
/** The user as the administrators of the team see them. */
async function seen(world: DirectoryWorld, user: { id: string }): Promise<any> {
  const listed = ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users`, { token: world.owner.token }));
  return listed.find(({ id }: any) => id === user.id);
}
const member = async (world: DirectoryWorld, id: string) =>
  chancery.call('GET', `/api/v1/team/members/${id}`, { token: world.owner.token });
const memberOf = async (world: DirectoryWorld, user: { id: string }) => ok(await member(world, (await seen(world, user)).userId));
const acts = async (world: DirectoryWorld, type: string) =>
  (
    await chancery.pool.query(
      'SELECT actor_type, actor_id, target_id, data FROM audit_entry WHERE team_id = $1 AND type = $2 ORDER BY id',
      [world.id, type],
    )
  ).rows;
const invitations = async (world: DirectoryWorld) =>
  ok(await chancery.call('GET', '/api/v1/team/invitations', { token: world.owner.token })) as any[];

/** An open session of a provisioned user, with its access token and refresh token. */
async function signedIn(user: { userName: string }) {
  const donor = await registered(chancery);
  await chancery.pool.query('UPDATE person SET password_hash = (SELECT password_hash FROM person WHERE email = $1) WHERE email = $2', [
    donor.email,
    user.userName,
  ]);
  const answer = await signIn(chancery, user.userName);
  ok(answer);
  return { token: answer.body.accessToken as string, refreshToken: cookieOf(answer, 'refresh_token'), teamId: answer.body.user.teamId };
}
const profile = (token: string) => chancery.call('GET', `${authPath}/profile`, { token });

describe('creation', () => {
  test('makes a member at once if the domain is verified, with a person that the team manages, and mails them', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision({ externalId: 'oid-1', active: undefined });
    const joined = await memberOf(world, user);
    assert.deepEqual([joined.email, joined.firstName, joined.role, joined.isActive], [user.userName, 'Nora', 'member', true]);
    const { rows } = await chancery.pool.query('SELECT managed_by FROM person WHERE id = $1', [joined.id]);
    assert.equal(rows[0].managed_by, world.id);
    assert.match((await mailsTo(chancery, user.userName))[0]?.subject ?? '', /gave you access/);
    assert.deepEqual(
      (await acts(world, 'member.joined')).map((act) => act.actor_id),
      [world.directory.id],
    );
    assert.deepEqual(await acts(world, 'directory.user_provisioned'), [
      {
        actor_type: 'directory',
        actor_id: world.directory.id,
        target_id: user.id,
        data: { directoryId: world.directory.id, userId: joined.id },
      },
    ]);
  });

  test('adds a second membership to a person of another team, who keeps their name', async () => {
    const world = await withDirectory(chancery);
    const elsewhere = await chancery.team();
    const id = randomUUIDv7();
    const email = `own@${world.domain}`;
    await insertMember(chancery.pool, { team: elsewhere.id, id, email, firstName: 'Own', role: 'member' });
    const user = await world.provision({ userName: email });
    assert.deepEqual([(await seen(world, user)).userId, (await memberOf(world, user)).firstName], [id, 'Own']);
    await patch(world, user, replace({ name: { givenName: 'Other' } }));
    assert.equal((await memberOf(world, user)).firstName, 'Own', 'others keep their own name');
    assert.equal(ok(await get(world, user)).name.givenName, 'Other');
  });

  for (const exists of [false, true])
    test(`invites an address of an unverified domain, ${exists ? 'also of a known person' : 'without a person'}, with the same response`, async () => {
      const world = await withDirectory(chancery);
      const email = exists ? (await registered(chancery)).email : `new.${randomUUIDv7()}@example.net`;
      const user = await world.provision({ userName: email });
      const { status, userId } = await seen(world, user);
      assert.deepEqual([user.active, status, userId], [true, 'pending', undefined]);
      assert.deepEqual(
        (await invitations(world)).map((one) => [one.email, one.role, one.createdByType]),
        [[email, 'member', 'directory']],
      );
    });

  test('links the user who accepts the invitation, with groups', async () => {
    const world = await withDirectory(chancery);
    const person = await registered(chancery);
    const user = await world.provision({ userName: person.email });
    const group = await world.group('Waiting', [user.id]);
    const link = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1];
    ok(await chancery.call('POST', '/api/v1/team/invitations/accept', { token: person.token, body: { token: link } }));
    const { status, userId } = await seen(world, user);
    assert.deepEqual([status, userId], ['linked', person.id]);
    const members = ok(await chancery.call('GET', `/api/v1/groups/${group.id}/members`, { token: world.owner.token }));
    assert.deepEqual(
      members.map((one: any) => one.userId),
      [person.id],
    );
  });

  test('links a member of the team with a verified domain', async () => {
    const world = await withDirectory(chancery);
    const id = randomUUIDv7();
    await insertMember(chancery.pool, { team: world.id, id, email: `here@${world.domain}`, role: 'admin' });
    const user = await world.provision({ userName: `here@${world.domain}` });
    assert.deepEqual([(await seen(world, user)).userId, (await memberOf(world, user)).role], [id, 'admin']);
  });

  test('is 409 for a member with an unverified domain, until an administrator links the two', async () => {
    const world = await withDirectory(chancery);
    const { id, email } = await chancery.user(world);
    const create = () => world.scim('POST', '/Users', { userName: email, externalId: 'oid-7' });
    assert.deepEqual(refusal(await create()), notUnique);
    assert.deepEqual(refusal(await create()), notUnique);
    const byName = `/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`;
    assert.equal(ok(await world.scim('GET', byName)).totalResults, 0);
    const [waiting] = ok(
      await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users?status=conflict`, { token: world.owner.token }),
    );
    const link = () =>
      chancery.call('POST', `${directoriesPath}/${world.directory.id}/links`, {
        token: world.owner.token,
        body: { userId: id, scimUserId: waiting.id },
      });
    assert.equal(ok(await link()).status, 'linked');
    assert.equal((await link()).body.code, 'user_not_linkable');
    assert.deepEqual(
      ok(await world.scim('GET', byName)).Resources.map((one: any) => one.id),
      [waiting.id],
    );
    ok(await patch(world, waiting, off));
    assert.equal(ok(await member(world, id)).isActive, false);
  });

  test('is 409 for a second user with the same name or external identifier, regardless of case', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision({ externalId: 'oid-2' });
    assert.deepEqual(refusal(await world.scim('POST', '/Users', { userName: user.userName.toUpperCase() })), notUnique);
    assert.deepEqual(refusal(await world.scim('POST', '/Users', { userName: `x@${world.domain}`, externalId: 'oid-2' })), notUnique);
  });

  test('is 409 for a person whom another directory of the team has', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const made = ok(await chancery.call('POST', directoriesPath, { token: world.owner.token, body: { name: 'Okta', kind: 'okta' } }));
    const { token } = ok(await chancery.call('POST', `${directoriesPath}/${made.id}/tokens`, { token: world.owner.token, body: {} }));
    assert.deepEqual(refusal(await scimCall(chancery, token, 'POST', '/Users', { userName: user.userName })), notUnique);
    assert.equal((await scimCall(chancery, token, 'GET', `/Users/${user.id}`)).status, 404, 'a directory sees its own users');
  });

  test('needs a userName, and ignores a password', async () => {
    const world = await withDirectory(chancery);
    assert.deepEqual(refusal(await world.scim('POST', '/Users', { active: true })), [400, 'invalidValue']);
    const user = await world.provision({ password: 'Secret9Password' });
    assert.ok(!JSON.stringify(user).includes('Secret9'));
    assert.equal((await signIn(chancery, user.userName, 'Secret9Password')).status, 401);
  });
});

/** Invites a person as the owner of the team, and accepts the invitation. */
async function joinsByInvitation(world: DirectoryWorld, person: { email: string; token: string }, role = 'member') {
  ok(await chancery.call('POST', '/api/v1/team/invitations', { token: world.owner.token, body: { email: person.email, role } }));
  const link = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1];
  ok(await chancery.call('POST', '/api/v1/team/invitations/accept', { token: person.token, body: { token: link } }));
}
const withdraw = async (world: DirectoryWorld) => {
  for (const { id } of await invitations(world))
    assert.equal((await chancery.call('DELETE', `/api/v1/team/invitations/${id}`, { token: world.owner.token })).status, 204);
};
const becomesGuest = (world: DirectoryWorld, id: string) =>
  chancery.pool.query(
    "UPDATE account SET role = 'guest', ends_at = now() + interval '30 days', sponsor_id = $3 WHERE team_id = $1 AND id = $2",
    [world.id, id, world.owner.id],
  );
const verify = (world: DirectoryWorld, domain: string) =>
  chancery.pool.query('UPDATE sso_domain SET domain = $2 WHERE team_id = $1', [world.id, domain]);

describe('a waiting user who joins by another invitation', () => {
  for (const owned of [true, false])
    test(`is ${owned ? 'linked' : 'in conflict'} if the domain is ${owned ? '' : 'not '}verified by then`, async () => {
      const world = await withDirectory(chancery);
      const person = await registered(chancery);
      const user = await world.provision({ userName: person.email });
      await withdraw(world);
      if (owned) await verify(world, person.email.split('@')[1] ?? '');
      await joinsByInvitation(world, person);
      const { status, userId } = await seen(world, user);
      assert.deepEqual([status, userId], owned ? ['linked', person.id] : ['conflict', undefined]);
      assert.equal((await patch(world, user, off)).status, owned ? 200 : 404);
      assert.equal(ok(await member(world, person.id)).isActive, !owned);
    });

  for (const [method, done] of [
    ['PATCH', 200],
    ['DELETE', 204],
  ] as const)
    for (const owned of [true, false])
      test(`is found by ${method}, which ${owned ? 'suspends the member' : 'is 409'}`, async () => {
        const world = await withDirectory(chancery);
        const domain = `found-${randomUUIDv7()}.example`;
        const userName = `found@${domain}`;
        const user = await world.provision({ userName });
        const id = randomUUIDv7();
        await insertMember(chancery.pool, { team: world.id, id, email: userName, role: 'member' });
        if (owned) await verify(world, domain);
        const answer = await world.scim(method, `/Users/${user.id}`, method === 'PATCH' ? off : undefined);
        assert.deepEqual(refusal(answer), owned ? [done, undefined] : notUnique);
        assert.equal(ok(await member(world, id)).isActive, !owned);
        assert.equal((await seen(world, user)).status, owned ? 'linked' : 'conflict');
      });

  test('is found by an inactive creation, which suspends the member of a verified domain', async () => {
    const world = await withDirectory(chancery);
    for (const [email, owned] of [
      [`leaver@${world.domain}`, true],
      [`leaver.${randomUUIDv7()}@example.net`, false],
    ] as const) {
      const id = randomUUIDv7();
      await insertMember(chancery.pool, { team: world.id, id, email, role: 'member' });
      const answer = await world.scim('POST', '/Users', { userName: email, active: false });
      assert.deepEqual(refusal(answer), owned ? [201, undefined] : notUnique);
      assert.equal(ok(await member(world, id)).isActive, !owned);
    }
  });

  test('with another user of the same address leaves the other in conflict', async () => {
    const world = await withDirectory(chancery);
    const person = await registered(chancery);
    const users = [await world.provision({ userName: person.email })];
    users.push(await world.provision({ userName: `other.${randomUUIDv7()}`, emails: [{ value: person.email, primary: true }] }));
    assert.equal((await invitations(world)).length, 1);
    const link = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1];
    ok(await chancery.call('POST', '/api/v1/team/invitations/accept', { token: person.token, body: { token: link } }));
    const states = await Promise.all(users.map(async (user) => (await seen(world, user)).status));
    assert.deepEqual(states.toSorted(), ['conflict', 'linked']);
  });

  test('is 409 if an administrator removed the person, also with another user name', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const { userId } = await seen(world, user);
    assert.equal((await chancery.call('DELETE', `/api/v1/team/members/${userId}`, { token: world.owner.token })).status, 204);
    const again = { userName: `again.${randomUUIDv7()}`, emails: [{ value: user.userName, primary: true }] };
    assert.deepEqual(refusal(await world.scim('POST', '/Users', again)), notUnique);
    assert.equal((await member(world, userId)).status, 404);
    assert.equal((await seen(world, user)).status, 'withdrawn');
  });
});

describe('guests and auditors', () => {
  const guestOf = async (world: DirectoryWorld, role: string) => {
    const one = { id: randomUUIDv7(), email: `${role}@${world.domain}` };
    await insertMember(chancery.pool, { team: world.id, ...one, role });
    return one;
  };
  for (const role of ['guest', 'auditor'])
    test(`cannot be linked: a user with the address of the ${role} is in conflict`, async () => {
      const world = await withDirectory(chancery);
      const guest = await guestOf(world, role);
      assert.deepEqual(refusal(await world.scim('POST', '/Users', { userName: guest.email })), notUnique);
      const [user] = ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users`, { token: world.owner.token }));
      assert.equal(user.status, 'conflict');
      const body = { userId: guest.id, scimUserId: user.id };
      const linked = await chancery.call('POST', `${directoriesPath}/${world.directory.id}/links`, { token: world.owner.token, body });
      assert.equal(linked.body.code, 'user_not_linkable');
    });

  test('keep the role and join no group, until they are members again', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const group = await world.group('Counsel');
    const { userId } = await seen(world, user);
    const change = (body: object) => chancery.call('PATCH', `/api/v1/team/members/${userId}`, { token: world.owner.token, body });
    await becomesGuest(world, userId);
    const settings = { token: world.owner.token, body: { roleGroups: [{ groupId: group.id, role: 'viewer' }] } };
    ok(await chancery.call('PATCH', `${directoriesPath}/${world.directory.id}`, settings));
    const add = { Operations: [{ op: 'add', path: 'members', value: [{ value: user.id }] }] };
    assert.equal((await world.scim('PATCH', `/Groups/${group.id}`, add)).status, 204);
    const members = async () =>
      ok(await chancery.call('GET', `/api/v1/groups/${group.id}/members`, { token: world.owner.token })).map((one: any) => one.userId);
    assert.deepEqual([ok(await member(world, userId)).role, await members()], ['guest', []]);
    ok(await change({ role: 'member' }));
    assert.deepEqual(await members(), [userId]);
  });

  test('with a pending invitation are in conflict, and an invitation as administrator needs `mayGiveAdmin`', async () => {
    const world = await withDirectory(chancery);
    const endsAt = new Date(Date.now() + 20 * 86_400_000).toISOString();
    for (const role of ['guest', 'admin']) {
      const email = `${role}.${randomUUIDv7()}@example.net`;
      ok(
        await chancery.call('POST', '/api/v1/team/invitations', {
          token: world.owner.token,
          body: { email, role, ...(role === 'guest' ? { endsAt } : {}) },
        }),
      );
      assert.deepEqual(refusal(await world.scim('POST', '/Users', { userName: email })), notUnique, role);
    }
    ok(
      await chancery.call('PATCH', `${directoriesPath}/${world.directory.id}`, {
        token: world.owner.token,
        body: { mayGiveAdmin: true },
      }),
    );
    const [, invitation] = await invitations(world);
    assert.equal((await world.scim('POST', '/Users', { userName: invitation.email })).status, 201);
  });
});

describe('changes', () => {
  test('change name and sign-in address of a managed person, with mails to both addresses', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const moved = `moved.${randomUUIDv7().slice(-6)}@${world.domain}`;
    ok(await patch(world, user, replace({ userName: moved, 'name.givenName': 'Bea' })));
    const joined = await memberOf(world, user);
    assert.deepEqual([joined.email, joined.firstName], [moved, 'Bea']);
    assert.match((await mailsTo(chancery, user.userName))[0]?.subject ?? '', /address was changed/);
    assert.match((await mailsTo(chancery, moved))[0]?.subject ?? '', /with this address/);
  });

  test('leave the sign-in address if the new domain is not verified, or another person has it', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const other = await world.provision();
    for (const value of [`someone@unverified.example`, other.userName]) {
      const changed = ok(await patch(world, user, replace(value, 'emails[type eq "work"].value')));
      assert.equal(changed.emails[0].value, value, 'the contact in this team changes');
      assert.equal((await memberOf(world, user)).email, user.userName);
    }
  });

  test('end the sign-ins of the person at once, also on another node', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const { token } = await signedIn(user);
    const other = await chancery.node('api');
    const there = () => fetch(`${other.address}${authPath}/profile`, { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([(await profile(token)).status, (await there()).status], [200, 200]);
    ok(await patch(world, user, replace({ userName: `at-once.${randomUUIDv7().slice(-6)}@${world.domain}` })));
    assert.deepEqual([(await profile(token)).status, (await there()).status], [401, 401]);
    await other.stop();
  });

  test('leave the sign-in address of a person with another team, and one in a domain that is no longer verified', async () => {
    const world = await withDirectory(chancery);
    const [both, lapsed] = [await world.provision(), await world.provision()];
    const elsewhere = await chancery.team();
    await chancery.pool.query(
      `INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role)
       SELECT $1, id, email, email_key, first_name, last_name, 'member' FROM person WHERE email = $2`,
      [elsewhere.id, both.userName],
    );
    ok(await patch(world, both, replace({ userName: `new.both@${world.domain}` })));
    const domain = `renamed-${randomUUIDv7()}.example`;
    await verify(world, domain);
    ok(await patch(world, lapsed, replace({ userName: `lapsed@${domain}` })));
    for (const user of [both, lapsed]) assert.equal((await memberOf(world, user)).email, user.userName);
  });

  test('by PUT clear omitted attributes, but not `active`', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision({ title: 'Counsel', [enterprise]: { department: 'Legal', manager: { value: '42' } } });
    ok(await patch(world, user, off));
    const put = ok(await world.scim('PUT', `/Users/${user.id}`, { userName: user.userName, displayName: 'Nora Q.' }));
    assert.deepEqual([put.active, put.displayName, put.title, put[enterprise]], [false, 'Nora Q.', undefined, undefined]);
  });

  test('that are half wrong change nothing', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const half = {
      Operations: [
        { op: 'replace', path: 'title', value: 'Judge' },
        { op: 'replace', path: 'id', value: 'x' },
      ],
    };
    assert.deepEqual(refusal(await patch(world, user, half)), [400, 'mutability']);
    assert.deepEqual(ok(await get(world, user)), user);
  });

  test('compare If-Match, and a read If-None-Match', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const stale = { 'if-match': 'W/"1"' };
    const bodies = { PUT: { userName: user.userName, title: 'Judge' }, PATCH: off, DELETE: undefined };
    for (const [method, body] of Object.entries(bodies))
      assert.equal((await world.scim(method, `/Users/${user.id}`, body, stale)).status, 412, method);
    const read = await get(world, user);
    assert.equal(read.headers.get('etag'), user.meta.version);
    assert.equal((await world.scim('GET', `/Users/${user.id}`, undefined, { 'if-none-match': user.meta.version })).status, 304);
    assert.equal((await world.scim('PATCH', `/Users/${user.id}`, off, { 'if-match': user.meta.version })).status, 200);
  });
});

describe('deactivation', () => {
  test('ends the access token and the refresh token at the next request, also on another node, and activation does not revive them', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const { token, refreshToken, teamId } = await signedIn(user);
    assert.equal(teamId, world.id);
    assert.equal((await profile(token)).status, 200);
    const other = await chancery.node('api');
    const there = (bearer: string) => fetch(`${other.address}${authPath}/profile`, { headers: { authorization: `Bearer ${bearer}` } });
    assert.equal((await there(token)).status, 200);
    ok(await patch(world, user, off));
    assert.equal((await profile(token)).status, 401);
    assert.equal((await there(token)).status, 401);
    const refreshed = await chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken } });
    assert.ok(refreshed.status === 401 || refreshed.status === 403, refreshed.text);
    assert.equal((await signIn(chancery, user.userName)).status, 403);
    ok(await patch(world, user, on));
    assert.equal((await profile(token)).status, 401, 'old sessions stay ended');
    ok(await signIn(chancery, user.userName));
    await other.stop();
  });

  test('keeps the user readable as inactive, and leaves other teams open', async () => {
    const world = await withDirectory(chancery);
    const elsewhere = await chancery.team();
    const [id, session] = [randomUUIDv7(), randomUUIDv7()];
    const email = `both@${world.domain}`;
    await insertMember(chancery.pool, { team: elsewhere.id, id, email, role: 'member' });
    await insertSessions(chancery.pool, elsewhere.id, id, [session]);
    const user = await world.provision({ userName: email });
    ok(await patch(world, user, off));
    assert.equal(ok(await get(world, user)).active, false);
    const { rows } = await chancery.pool.query('SELECT team_id, status FROM account WHERE id = $1', [id]);
    assert.deepEqual(
      new Map(rows.map((row) => [row.team_id, row.status])),
      new Map([
        [elsewhere.id, 'active'],
        [world.id, 'disabled'],
      ]),
    );
    const found = await chancery.pool.query('SELECT account_id FROM find_session($1, $2)', [session, elsewhere.id]);
    assert.equal(found.rowCount, 1, 'the session in the other team goes on');
  });

  test('ends a pending invitation, and activation sends a new one', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision({ userName: `late.${randomUUIDv7()}@example.net` });
    ok(await patch(world, user, off));
    assert.deepEqual(await invitations(world), []);
    ok(await patch(world, user, on));
    assert.equal((await invitations(world)).length, 1);
  });

  test('of the owner is 403, ends nothing but is mailed, and changes nothing else', async () => {
    const world = await withDirectory(chancery);
    const { email, id } = world.owner;
    await world.scim('POST', '/Users', { userName: email });
    const [waiting] = ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users`, { token: world.owner.token }));
    ok(
      await chancery.call('POST', `${directoriesPath}/${world.directory.id}/links`, {
        token: world.owner.token,
        body: { userId: id, scimUserId: waiting.id },
      }),
    );
    assert.equal((await patch(world, waiting, replace({ active: false, title: 'Gone' }))).status, 403);
    assert.equal((await world.scim('DELETE', `/Users/${waiting.id}`)).status, 403);
    const read = ok(await get(world, waiting));
    assert.deepEqual([read.active, read.title, (await profile(world.owner.token)).status], [true, undefined, 200]);
    assert.equal((await mailsTo(chancery, email)).filter(({ subject }) => /tried to deactivate the owner/.test(subject)).length, 1);
    assert.equal((await acts(world, 'directory.owner_kept')).length, 2);
  });

  test('of the owner makes the named successor the owner', async () => {
    const world = await withDirectory(chancery);
    const successor = await chancery.user(world, { role: 'admin' });
    const change = { token: world.owner.token, body: { ownerSuccessorId: successor.id } };
    ok(await chancery.call('PATCH', `${directoriesPath}/${world.directory.id}`, change));
    await world.scim('POST', '/Users', { userName: world.owner.email });
    const [waiting] = ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users`, { token: world.owner.token }));
    ok(
      await chancery.call('POST', `${directoriesPath}/${world.directory.id}/links`, {
        token: world.owner.token,
        body: { userId: world.owner.id, scimUserId: waiting.id },
      }),
    );
    ok(await patch(world, waiting, off));
    const { rows } = await chancery.pool.query('SELECT id, role, status FROM account WHERE team_id = $1 ORDER BY role DESC', [world.id]);
    assert.deepEqual(rows, [
      { id: successor.id, role: 'owner', status: 'active' },
      { id: world.owner.id, role: 'admin', status: 'disabled' },
    ]);
    assert.equal((await profile(world.owner.token)).status, 401);
  });

  test('of the owner keeps the owner while a token of an administrator is valid', async () => {
    const world = await withDirectory(chancery);
    const successor = await chancery.user(world, { role: 'admin' });
    const path = `${directoriesPath}/${world.directory.id}`;
    const issued = ok(await chancery.call('POST', `${path}/tokens`, { token: successor.token, body: {} }));
    ok(await chancery.call('PATCH', path, { token: world.owner.token, body: { ownerSuccessorId: successor.id } }));
    await world.scim('POST', '/Users', { userName: world.owner.email });
    const [waiting] = ok(await chancery.call('GET', `${path}/users`, { token: world.owner.token }));
    const body = { userId: world.owner.id, scimUserId: waiting.id };
    ok(await chancery.call('POST', `${path}/links`, { token: world.owner.token, body }));
    assert.equal((await scimCall(chancery, issued.token, 'PATCH', `/Users/${waiting.id}`, off)).status, 403);
    assert.equal((await chancery.call('DELETE', `${path}/tokens/${issued.id}`, { token: world.owner.token })).status, 204);
    ok(await patch(world, waiting, off));
    const { rows } = await chancery.pool.query("SELECT id FROM account WHERE team_id = $1 AND role = 'owner'", [world.id]);
    assert.deepEqual(rows, [{ id: successor.id }]);
  });

  test('of a waiting user keeps an invitation that another user waits for', async () => {
    const world = await withDirectory(chancery);
    const email = `shared.${world.domain}@elsewhere.example`;
    const [first, second] = [
      await world.provision({ userName: 'first', emails: [{ value: email }] }),
      await world.provision({ userName: 'second', emails: [{ value: email }] }),
    ];
    const pending = async () =>
      ok(await chancery.call('GET', '/api/v1/team/invitations', { token: world.owner.token })).filter(
        (one: { email: string }) => one.email === email,
      ).length;
    ok(await patch(world, first, off));
    assert.equal(await pending(), 1);
    assert.equal((await world.scim('DELETE', `/Users/${second.id}`)).status, 204);
    assert.equal(await pending(), 0);
  });

  test('of the owner keeps the owner if the named successor has become a guest', async () => {
    const world = await withDirectory(chancery);
    const successor = await chancery.user(world);
    const change = { token: world.owner.token, body: { ownerSuccessorId: successor.id } };
    ok(await chancery.call('PATCH', `${directoriesPath}/${world.directory.id}`, change));
    await world.scim('POST', '/Users', { userName: world.owner.email });
    const [waiting] = ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users`, { token: world.owner.token }));
    const body = { userId: world.owner.id, scimUserId: waiting.id };
    ok(await chancery.call('POST', `${directoriesPath}/${world.directory.id}/links`, { token: world.owner.token, body }));
    await becomesGuest(world, successor.id);
    assert.equal((await patch(world, waiting, off)).status, 403);
    const { rows } = await chancery.pool.query("SELECT id FROM account WHERE team_id = $1 AND role = 'owner' AND status = 'active'", [
      world.id,
    ]);
    assert.deepEqual(rows, [{ id: world.owner.id }]);
    assert.equal((await chancery.call('PATCH', `${directoriesPath}/${world.directory.id}`, change)).body.code, 'invalid_directory_setting');
    const renamed = { token: world.owner.token, body: { name: 'Renamed' } };
    assert.equal(ok(await chancery.call('PATCH', `${directoriesPath}/${world.directory.id}`, renamed)).name, 'Renamed');
    const { id } = await chancery.user(world);
    const removed = await chancery.call('DELETE', `/api/v1/team/members/${id}?successorId=${successor.id}`, { token: world.owner.token });
    assert.equal(removed.body.code, 'successor_not_found');
  });

  test('cannot be undone by an administrator, and an administrator’s suspension not by the directory', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const { userId } = await seen(world, user);
    const change = (isActive: boolean) =>
      chancery.call('PATCH', `/api/v1/team/members/${userId}`, { token: world.owner.token, body: { isActive } });
    ok(await patch(world, user, off));
    assert.equal((await change(true)).body.code, 'managed_by_directory');
    ok(await patch(world, user, on));
    ok(await change(false));
    for (const body of [off, on]) ok(await patch(world, user, body));
    assert.equal(ok(await member(world, userId)).isActive, false, 'suspended here');
    assert.equal((await seen(world, user)).suspendedByTeam, true);
    ok(await change(true));
    assert.equal(ok(await member(world, userId)).isActive, true);
  });

  test('does not reveal the new address of a removed member', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const { userId } = await seen(world, user);
    assert.equal((await chancery.call('DELETE', `/api/v1/team/members/${userId}`, { token: world.owner.token })).status, 204);
    const email = `moved.${world.domain}@elsewhere.example`;
    await chancery.pool.query('UPDATE person SET email = $2, email_key = $2 WHERE id = $1', [userId, email]);
    const invited = ok(await world.scim('POST', '/Users', { userName: email }));
    assert.equal((await seen(world, invited)).status, 'pending');
    assert.deepEqual(refusal(await world.scim('POST', '/Users', { userName: 'again', emails: [{ value: user.userName }] })), notUnique);
  });

  test('does not bring back a removed member before an administrator invites them again', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision({ userName: `gone@${world.domain}` });
    const { userId } = await seen(world, user);
    assert.equal((await chancery.call('DELETE', `/api/v1/team/members/${userId}`, { token: world.owner.token })).status, 204);
    assert.equal(ok(await get(world, user)).active, false);
    assert.deepEqual(refusal(await patch(world, user, on)), notUnique);
    assert.equal((await world.scim('DELETE', `/Users/${user.id}`)).status, 204);
    assert.deepEqual(refusal(await world.scim('POST', '/Users', { userName: user.userName })), notUnique);
    const { token } = await signedIn(user);
    ok(
      await chancery.call('POST', '/api/v1/team/invitations', { token: world.owner.token, body: { email: user.userName, role: 'member' } }),
    );
    const link = /token=([\w-]+)/.exec((await mailsTo(chancery, user.userName))[0]?.text ?? '')?.[1];
    ok(await chancery.call('POST', '/api/v1/team/invitations/accept', { token, body: { token: link } }));
    const back = await seen(world, user);
    assert.deepEqual([back.status, back.active, back.userId], ['linked', true, userId]);
  });
});

test('a managed person cannot delete their account', async () => {
  const world = await withDirectory(chancery);
  const user = await world.provision();
  const { token } = await signedIn(user);
  assert.equal((await chancery.call('DELETE', `${authPath}/profile`, { token })).body.code, 'account_managed_by_team');
  const { userId } = await seen(world, user);
  assert.equal((await chancery.call('DELETE', `/api/v1/team/members/${userId}`, { token: world.owner.token })).status, 204);
  const again = await signIn(chancery, user.userName);
  ok(await chancery.call('DELETE', `${authPath}/profile`, { token: again.body.accessToken }));
});

describe('deletion', () => {
  test('suspends at once and is 404 from then on; a new user of that name undoes it', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision({ externalId: 'oid-9' });
    const { userId } = await seen(world, user);
    assert.equal((await world.scim('DELETE', `/Users/${user.id}`)).status, 204);
    assert.equal((await get(world, user)).status, 404);
    assert.equal((await world.scim('DELETE', `/Users/${user.id}`)).status, 404);
    assert.equal(ok(await world.scim('GET', '/Users')).totalResults, 0);
    assert.equal(ok(await member(world, userId)).isActive, false);
    ok(await world.scim('POST', '/Users', { userName: user.userName, externalId: 'oid-9' }));
    assert.equal(ok(await member(world, userId)).isActive, true);
  });

  test('of a user who never joined ends the invitation and forgets them', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision({ userName: `never.${randomUUIDv7()}@example.net` });
    assert.equal((await world.scim('DELETE', `/Users/${user.id}`)).status, 204);
    assert.deepEqual(await invitations(world), []);
    assert.equal(await seen(world, user), undefined);
  });
});

describe('lists', () => {
  test('have pages by index and by cursor, in a stable order', async () => {
    const world = await withDirectory(chancery);
    const users = [];
    for (let n = 0; n < 5; n += 1) users.push((await world.provision()).id);
    users.sort();
    const idsOf = ({ Resources }: any) => Resources.map(({ id }: any) => id);
    const first = ok(await world.scim('GET', '/Users?startIndex=1&count=2'));
    assert.deepEqual([first.totalResults, first.startIndex, first.itemsPerPage, first.nextCursor], [5, 1, 2, undefined]);
    const last = ok(await world.scim('GET', '/Users?startIndex=5&count=2'));
    assert.deepEqual([idsOf(first), idsOf(last)], [users.slice(0, 2), users.slice(4)]);
    const walked: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: any = ok(await world.scim('GET', `/Users?cursor=${cursor}&count=2`));
      walked.push(...idsOf(page));
      cursor = page.nextCursor;
    }
    assert.deepEqual(walked, users);
    assert.deepEqual(
      [ok(await world.scim('GET', '/Users?count=0')).totalResults, refusal(await world.scim('GET', '/Users?cursor=x'))],
      [5, [400, 'invalidCursor']],
    );
  });

  test('filter by every attribute, and return an empty list without a match', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision({
      externalId: 'Oid-X',
      displayName: 'Nora Quist',
      emails: [{ value: `Work@${world.domain}`, type: 'work', primary: true }],
    });
    await world.provision({ externalId: 'other' });
    const since = new Date(Date.parse(user.meta.lastModified) - 1).toISOString();
    const found = async (filter: string) =>
      ok(await world.scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).Resources.map(({ id }: any) => id);
    for (const filter of [
      `userName eq "${user.userName.toUpperCase()}"`,
      `username Eq "${user.userName}" and active eq true`,
      `externalId eq "Oid-X"`,
      `id eq "${user.id}"`,
      `emails[type eq "work"].value eq "work@${world.domain}"`,
      `emails.value co "WORK@"`,
      `displayName sw "nora"`,
      `urn:ietf:params:scim:schemas:core:2.0:User:displayName pr`,
      `externalId eq "Oid-X" and active eq "True" and meta.lastModified ge "${since}"`,
    ])
      assert.deepEqual(await found(filter), [user.id], filter);
    for (const filter of ['userName eq "nobody"', 'externalId eq "oid-x"', 'id eq "7"', 'active eq false'])
      assert.deepEqual(await found(filter), [], filter);
    const answer = await world.scim('GET', `/Users?filter=${encodeURIComponent('userName eq "a" or id pr')}`);
    assert.deepEqual(refusal(answer), [400, 'invalidFilter']);
  });

  test('return the attributes that the request names, always with the id', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision({ [enterprise]: { department: 'Legal', employeeNumber: '7' } });
    const named = (query: string) => world.scim('GET', `/Users/${user.id}?${query}`).then(ok);
    assert.deepEqual(Object.keys(await named('attributes=userName')).toSorted(), ['id', 'schemas', 'userName']);
    const some = await named(`attributes=name.familyName,${enterprise}:department`);
    assert.deepEqual([some.name, some[enterprise], some.userName], [{ familyName: 'Quist' }, { department: 'Legal' }, undefined]);
    assert.equal((await named('excludedAttributes=name,meta')).name, undefined);
  });
});

test('a token that was deleted, has ended, or belongs to an inactive directory is rejected at the next request', async () => {
  const world = await withDirectory(chancery);
  const answered = async () => (await world.scim('GET', '/ServiceProviderConfig')).status;
  const set = (isActive: boolean) =>
    chancery.call('PATCH', `${directoriesPath}/${world.directory.id}`, { token: world.owner.token, body: { isActive } });
  assert.equal(await answered(), 200);
  ok(await set(false));
  assert.equal(await answered(), 401);
  ok(await set(true));
  assert.equal(await answered(), 200);
  const [token] = ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/tokens`, { token: world.owner.token }));
  const path = `${directoriesPath}/${world.directory.id}/tokens/${token.id}`;
  assert.equal((await chancery.call('DELETE', path, { token: world.owner.token })).status, 204);
  const refused = await world.scim('GET', '/Users');
  assert.deepEqual(
    [refused.status, refused.body.status, refused.body.schemas],
    [401, '401', ['urn:ietf:params:scim:api:messages:2.0:Error']],
  );
  assert.equal((await chancery.call('GET', '/api/v1/team', { token: world.scimToken })).status, 401, 'it opens nothing but SCIM');
  assert.equal((await world.scim('GET', '/Users', undefined, { authorization: `Bearer ${world.owner.token}` })).status, 401);
});
