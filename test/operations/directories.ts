import { randomUUIDv7 } from 'node:crypto';
import { newTeamToken, tokenHash } from '../../src/platform/crypto/tokens.ts';
import { act, open, rows, seeded } from '../access/rows.ts';
import { type Acts, type ActWorld, on } from '../suites/acts/kit.ts';

/* Access rows and acts of directories for the walks. */

const path = '/api/v1/team/directories';
const managers = 'y y 403 · · · 403 · 403 403 403 403';

/** The allowed callers of each operation. Source of docs/reference/generated/access.md. */
export const directoryAccess = rows(path, {
  'GET ': seeded(managers),
  'POST ': act(managers),
  'GET /{id}': seeded(managers),
  'PATCH /{id}': act(managers),
  'DELETE /{id}': act(managers),
  'GET /{id}/tokens': seeded(managers),
  'POST /{id}/tokens': act(managers),
  'DELETE /{id}/tokens/{tokenId}': act(managers),
  'GET /{id}/log': seeded(managers),
  'GET /{id}/users': seeded(managers),
  'POST /{id}/links': act(managers),
  'POST /{id}/restore': act(managers),
  'POST /restore': open,
});

/** Creates a directory in the place of an earlier one, because a team has few. */
async function directory(world: ActWorld) {
  for (const { id, name } of await world.made('GET', path)) if (name === 'Walked') await world.send('DELETE', `${path}/${id}?keep=true`);
  return world.made('POST', path, { name: 'Walked', kind: 'other' });
}

async function withToken(world: ActWorld) {
  const { id } = await directory(world);
  const { id: tokenId } = await world.made('POST', `${path}/${id}/tokens`, {});
  return { id, tokenId };
}

/** A user of the directory who waits for a link, and a member. */
async function withConflict(world: ActWorld) {
  const { id } = await directory(world);
  const { token } = await world.made('POST', `${path}/${id}/tokens`, {});
  const { id: userId, email } = await world.chancery.user(world.owner.team);
  await world.chancery.call('POST', '/scim/v2/Users', { token, unchecked: true, body: { userName: email } });
  const [{ id: scimUserId }] = await world.made('GET', `${path}/${id}/users?status=conflict`);
  return { id, body: { userId, scimUserId } };
}

/** A directory with a surge of deactivations, and the hash of its mailed link. */
async function withSurge(world: ActWorld, hash: Buffer) {
  const { id } = await directory(world);
  await world.chancery.pool.query("UPDATE directory SET surge_at = now() - interval '1 hour', surge_hash = $2 WHERE id = $1", [id, hash]);
  return { id };
}

export const directoryActs: Acts = {
  [`POST ${path}`]: {
    entries: ['directory.created'],
    async prepare(world) {
      const { id } = await directory(world);
      await world.send('DELETE', `${path}/${id}?keep=true`);
      return () => world.send('POST', path, { name: 'Walked', kind: 'other' });
    },
  },
  [`PATCH ${path}/{id}`]: on(
    directory,
    'PATCH',
    ({ id }) => `${path}/${id}`,
    () => ({ defaultRole: 'viewer' }),
    'directory.updated',
  ),
  [`DELETE ${path}/{id}`]: on(directory, 'DELETE', ({ id }) => `${path}/${id}`, undefined, 'directory.deleted'),
  [`POST ${path}/{id}/tokens`]: on(
    directory,
    'POST',
    ({ id }) => `${path}/${id}/tokens`,
    () => ({}),
    'directory.token_created',
  ),
  [`DELETE ${path}/{id}/tokens/{tokenId}`]: on(
    withToken,
    'DELETE',
    ({ id, tokenId }) => `${path}/${id}/tokens/${tokenId}`,
    undefined,
    'directory.token_deleted',
  ),
  [`POST ${path}/{id}/links`]: on(
    withConflict,
    'POST',
    ({ id }) => `${path}/${id}/links`,
    (_: ActWorld, { body }: { body: object }) => body,
    'directory.user_linked',
  ),
  [`POST ${path}/{id}/restore`]: on(
    (world) => withSurge(world, tokenHash(randomUUIDv7())),
    'POST',
    ({ id }) => `${path}/${id}/restore`,
    undefined,
    'directory.users_restored',
  ),
  [`POST ${path}/restore`]: {
    entries: ['directory.users_restored'],
    async prepare(world) {
      const token = newTeamToken(world.owner.team);
      await withSurge(world, tokenHash(token));
      return () => world.chancery.call('POST', `${path}/restore`, { body: { token } });
    },
  },
};
