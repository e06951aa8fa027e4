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

/** People with one password, in teams of their own; returns how they sign in, on either side. */
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
    await world.ours.query(
      "INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role, password_hash) VALUES ($1, $2, $3, $3, 'B', 'B', 'owner', $4)",
      [team, id, email, hash],
    );
  }
  let next = 0;
  return () => ({
    method: 'POST',
    path: `${auth}/login`,
    token: world.token,
    body: JSON.stringify({ email: `p${(next += 1) % people}.${mark}@example.org`, password }),
  });
}

/** Sessions whose tokens are counters: each ask takes the next session, far from its last turn. */
async function refreshes(world: World): Promise<Ask> {
  const ids = Array.from({ length: sessions }, () => randomUUIDv7());
  for (const pool of [world.ours, world.floor])
    await pool.query(
      "INSERT INTO session (team_id, id, account_id, auth_time, amr, acr, expires_at) SELECT $1, id, $2, now(), '{pwd}', 'aal1', now() + interval '90 days' FROM unnest($3::uuid[]) AS s(id)",
      [world.team, world.user, ids],
    );
  const key = (await keyOf(world)).accepted('refresh-tokens');
  let made = 0;
  return () => {
    const session = ids[made % sessions] ?? '';
    const counter = Math.floor(made / sessions);
    made += 1;
    const refreshToken = writeRefreshToken(key, { holder: world.team, session, counter });
    // The floor believes the body.
    return { method: 'POST', path: `${auth}/refresh`, token: world.token, body: JSON.stringify({ refreshToken, session, counter }) };
  };
}

/** How people sign in and stay so, beside one another. */
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
    // One side's counters are not the other's.
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
