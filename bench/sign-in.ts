import { insertMember, insertSessions } from '../test/memberships.ts';
import { randomUUIDv7 } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { createPasswordHasher } from '../src/platform/crypto/password-hash.ts';
import { writeRefreshToken } from '../src/platform/crypto/refresh-tokens.ts';
import type { Ask } from './load.ts';
import type { Scenario } from './scenario.ts';
import type { World } from './world.ts';

const people = 200;
const sessions = 4_096;
const password = 'CorrectHorse9Battery';
const auth = '/api/v1/security/auth';

const keyOf = (world: World) => loadMasterKey({ configured: world.masterKey, dataDir: '', generate: 'never' });

/** Creates users with the same password, each in a separate team. Returns their sign-in requests for both sides. */
async function signIns(world: World): Promise<Ask> {
  const hasher = createPasswordHasher({
    concurrency: availableParallelism(),
    maxQueue: people,
    pepper: (await keyOf(world)).derive('password-pepper'),
  });
  const hash = await hasher.hash(password);
  const mark = randomUUIDv7();
  for (let n = 0; n < people; n += 1) {
    const [team, id, email] = [randomUUIDv7(), randomUUIDv7(), `p${n}.${mark}@example.org`];
    await world.ours.query("INSERT INTO team (team_id, name) VALUES ($1, 'Bench')", [team]);
    await insertMember(world.ours, { team, id, email, role: 'owner', passwordHash: hash });
  }
  let next = 0;
  return () => ({
    method: 'POST',
    path: `${auth}/login`,
    token: world.token,
    body: JSON.stringify({ email: `p${(next += 1) % people}.${mark}@example.org`, password }),
  });
}

/** Sessions with counters as tokens. Each request uses the next session, so that a session is not reused soon. */
async function refreshes(world: World): Promise<Ask> {
  const ids = Array.from({ length: sessions }, () => randomUUIDv7());
  for (const pool of [world.ours, world.floor]) await insertSessions(pool, world.team, world.user, ids);
  const key = (await keyOf(world)).accepted('refresh-tokens');
  let made = 0;
  return () => {
    const session = ids[made % sessions] ?? '';
    const counter = Math.floor(made / sessions);
    made += 1;
    const refreshToken = writeRefreshToken(key, { owner: world.team, session, counter });
    // The floor trusts the body.
    return { method: 'POST', path: `${auth}/refresh`, token: world.token, body: JSON.stringify({ refreshToken, session, counter }) };
  };
}

/** Scenarios of sign-ins and token refreshes. */
export const signInScenarios: readonly Scenario[] = [
  {
    name: 'login',
    target: 0.8,
    async prepare(world) {
      const ask = await signIns(world);
      return { ours: ask, floor: ask };
    },
  },
  {
    name: 'refresh',
    target: 0.6,
    // Each side has separate counters.
    prepare: async (world) => ({ ours: await refreshes(world), floor: await refreshes(world) }),
  },
  {
    name: 'authenticated read beside logins',
    target: 0.8,
    p99Target: 2,
    async prepare(world) {
      const logins = await signIns(world);
      let next = 0;
      const ask: Ask = () => ({
        method: 'GET',
        path: `/api/v1/smartdoc/folders/${world.folders[(next += 1) % world.folders.length]}`,
        token: world.token,
      });
      return { ours: ask, floor: ask, beside: logins };
    },
  },
];
