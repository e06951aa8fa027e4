import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { directoriesPath, scimCall } from '../directories.ts';
import type { Chancery, TestResponse, User } from '../harness.ts';

/** A directory with a user in a group, as its token sees them. */
export type ScimTarget = { directory: string; token: string; user: string; userName: string; externalId: string; group: string };

type Scim = (method: string, path: string, body?: unknown) => Promise<TestResponse>;
const scimOf =
  (chancery: Chancery, token: string): Scim =>
  (method, path, body) =>
    scimCall(chancery, token, method, path, body);

function done({ status, body, text }: TestResponse): any {
  assert.ok(status < 300, `${status} ${text}`);
  return body;
}

/** Connects a directory, which creates a user and a group with the user. */
export async function openScimTarget(chancery: Chancery, by: User): Promise<ScimTarget> {
  const send = async (path: string, body: object) =>
    done(await chancery.call('POST', `${directoriesPath}${path}`, { token: by.token, body }));
  const { id: directory } = await send('', { name: `Directory ${randomUUIDv7()}`, kind: 'other' });
  const { token } = await send(`/${directory}/tokens`, {});
  const scim = scimOf(chancery, token);
  const [userName, externalId] = [`scim.${randomUUIDv7()}@example.org`, randomUUIDv7()];
  const { id: user } = done(await scim('POST', '/Users', { userName, externalId }));
  const { id: group } = done(await scim('POST', '/Groups', { displayName: `Group ${randomUUIDv7()}`, members: [{ value: user }] }));
  return { directory, token, user, userName, externalId, group };
}

const operations = (...given: object[]) => ({ Operations: given });
const member = (id: string) => [{ value: id }];

/** Sends each request of SCIM about the user and the group of another directory. Each must be the same as about ones that do not exist. */
export async function assertOutOfReach(chancery: Chancery, token: string, target: ScimTarget): Promise<void> {
  const scim = scimOf(chancery, token);
  const { user, group } = target;
  const ofGroup = [
    { op: 'add', path: 'members', value: member(user) },
    { op: 'remove', path: `members[value eq "${user}"]` },
  ];
  for (const [path, put, patch] of [
    [`/Users/${user}`, { userName: 'taken@example.org' }, operations({ op: 'replace', path: 'active', value: false })],
    [`/Groups/${group}`, { displayName: 'Taken', members: [] }, operations(...ofGroup)],
  ] as const) {
    const answers = [await scim('GET', path), await scim('PUT', path, put), await scim('PATCH', path, patch), await scim('DELETE', path)];
    const unknown = await scim('GET', path.replace(/[^/]+$/, randomUUIDv7()));
    for (const answer of answers) assert.deepEqual([answer.status, answer.body], [404, unknown.body], path);
  }
  const added = await scim('POST', '/Groups', { displayName: `Foreign ${randomUUIDv7()}`, members: member(user) });
  assert.deepEqual([added.status, added.body.scimType], [400, 'invalidValue'], added.text);
  for (const filter of [
    `id eq "${user}"`,
    `userName eq "${target.userName}"`,
    `externalId eq "${target.externalId}"`,
    `emails.value co "${target.userName}"`,
    'userName pr',
  ]) {
    const found = done(await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`));
    assert.ok(!JSON.stringify(found).includes(user), filter);
    if (filter !== 'userName pr') assert.equal(found.totalResults, 0, filter);
  }
  for (const filter of [`id eq "${group}"`, `members.value eq "${user}"`]) {
    const found = done(await scim('GET', `/Groups?filter=${encodeURIComponent(filter)}`));
    assert.equal(found.totalResults, 0, filter);
  }
  for (const path of ['/Users', '/Users?cursor=', '/Groups', '/Groups?cursor=']) {
    const { text } = await scim('GET', path);
    assert.ok(!text.includes(user) && !text.includes(group), path);
  }
}

/** Runs each kind of change in a directory of its own, up to the deletion of the user and the group. */
export async function runScim(chancery: Chancery, { token, user, group, userName }: ScimTarget): Promise<void> {
  const scim = scimOf(chancery, token);
  const replace = (path: string, value: unknown) => operations({ op: 'replace', path, value });
  const second = done(await scim('POST', '/Users', { userName: `second.${userName}`, active: false }));
  for (const [method, path, body] of [
    ['PATCH', `/Users/${user}`, replace('externalId', randomUUIDv7())],
    ['PATCH', `/Users/${user}`, replace('active', false)],
    ['PATCH', `/Users/${user}`, replace('active', true)],
    ['PUT', `/Users/${user}`, { userName, title: 'Counsel' }],
    ['GET', `/Users?filter=${encodeURIComponent('active eq true and userName sw "scim"')}`],
    ['PATCH', `/Groups/${group}`, operations({ op: 'add', path: 'members', value: member(second.id) })],
    ['PATCH', `/Groups/${group}`, operations({ op: 'remove', path: 'members' })],
    ['PUT', `/Groups/${group}`, { displayName: `Renamed ${randomUUIDv7()}`, members: member(user) }],
    ['GET', `/Groups/${group}`],
    ['DELETE', `/Groups/${group}`],
    ['DELETE', `/Users/${user}`],
  ] as const)
    done(await scim(method, path, body));
}
