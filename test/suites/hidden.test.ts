import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { type Chancery, startChancery, type Team } from '../harness.ts';
import type { Operation } from '../openapi.ts';
import { seedEverything } from '../seed.ts';
import { seededPath } from './isolation.ts';
import { fillPath, named, plausible } from './walk.ts';

/*
 * What somebody may not see is to them as if it were not there: the answer says so, and so does what the database is asked for it,
 * since a statement more is time that can be measured. Each operation on a thing is called with one of a colleague and with none.
 */

let recorded: string[] | undefined;
const send = pg.Client.prototype.query as (...args: any[]) => any;
pg.Client.prototype.query = function query(this: pg.Client, config: any, ...rest: any[]) {
  recorded?.push(config?.name ?? config?.text ?? String(config));
  return send.call(this, config, ...rest);
} as typeof pg.Client.prototype.query;

let chancery: Chancery;
let team: Team;
let seeded: Record<string, string>;
before(async () => {
  chancery = await startChancery({ role: 'api', inProcess: true });
  team = await chancery.team();
  seeded = await seedEverything(chancery, team.owner);
});
after(async () => {
  pg.Client.prototype.query = send as typeof pg.Client.prototype.query;
  await chancery.stop();
});

type Seen = { status: number; code: unknown; detail: unknown; statements: string[] };

async function seenBy(token: string, { method, hasBody, body }: Operation, path: string): Promise<Seen> {
  recorded = [];
  const answer = await chancery.call(method, path, { token, ...(hasBody ? { body: plausible(body) } : {}) });
  const statements = recorded;
  recorded = undefined;
  return { status: answer.status, code: answer.body?.code, detail: answer.body?.detail, statements };
}

/** Somebody of the team whom nothing of it was given. */
const colleagues: Record<string, () => Promise<string>> = {
  'a member': async () => (await chancery.user(team)).token,
  'a viewer': async () => (await chancery.user(team, { role: 'viewer' })).token,
  'a client for another folder': async () => {
    const areas = ['folders', 'documents', 'workflows', 'tasks', 'signatures', 'interfaces', 'registries'];
    const { id, token } = await chancery.client(
      team.owner,
      areas.flatMap((area) => [`${area}:read`, `${area}:write`]),
    );
    const folder = await chancery.folder(team.owner);
    const body = { folderIds: [folder.id] };
    assert.equal((await chancery.call('PATCH', `/api/v1/security/clients/${id}`, { token: team.owner.token, body })).status, 200);
    return token;
  },
};

/** What the service asks of its own accord, such as counts that it writes each second, may fall into one of two looks, and not into each. */
async function twoThatAgree(one: () => Promise<Seen>, other: () => Promise<Seen>): Promise<[Seen, Seen]> {
  for (let look = 1; ; look += 1) {
    const two: [Seen, Seen] = [await one(), await other()];
    if (look === 5 || isDeepStrictEqual(two[0], two[1])) return two;
  }
}

for (const [who, come] of Object.entries(colleagues)) {
  test(`${who} learns of what they may not see neither that it is there nor how much of it, by no answer and by no statement`, async () => {
    const token = await come();
    const differing: string[] = [];
    let compared = 0;
    for (const operation of chancery.description.operations) {
      const path = seededPath(seeded, operation.path);
      const names = Object.values(seeded).some((id) => path.includes(id));
      if (operation.access !== 'user' || operation.personal || !names) continue;
      const nothing = fillPath(operation.path, () => randomUUIDv7());
      // Statements are prepared by who comes first.
      await seenBy(token, operation, nothing);
      const [hidden, none] = await twoThatAgree(
        () => seenBy(token, operation, path),
        () => seenBy(token, operation, nothing),
      );
      // What they may see is another test's, and what is refused to their role was not looked at.
      if (hidden.status < 400 || hidden.code === 'insufficient_scope') continue;
      compared += 1;
      try {
        assert.deepEqual(hidden, none);
      } catch (error) {
        differing.push(`${named(operation)}: ${(error as Error).message}`);
      }
    }
    assert.deepEqual(differing, []);
    assert.ok(compared >= (who === 'a viewer' ? 8 : 25), `${compared} operations`);
  });
}
