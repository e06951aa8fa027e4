import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../harness.ts';
import { whileLocked } from '../row-locks.ts';
import { fillPath } from '../suites/walk.ts';
import { openWorld, type AccessWorld } from './callers.ts';
import { accessTable, operationOf } from './table.ts';
import { things } from './things.ts';
import { sample } from '../tier.ts';

/*
 * A caller who cannot see a resource, but knows its id, cannot detect or block work on it. The tests call each operation that changes
 * something while all rows of the resource are locked. The response must not wait. A request that waits for no row lock acquires none.
 */

let chancery: Chancery;
let world: AccessWorld;

before(async () => {
  chancery = await sharedChancery();
  world = await openWorld(chancery);
});

/** Longer than any of these requests takes on a busy machine. */
const soonMs = 10_000;

/** Calls the operation as a member without a relation to the locked resource. Returns a message if the status is not the expected one. */
async function refused(name: string): Promise<string | undefined> {
  const row = Object.values(accessTable).find((area) => name in area)?.[name];
  const { method = '', path = '' } = splitOperation(operationOf(name).name);
  if (row?.kind !== 'thing' || method === 'GET') return undefined;
  const wanted = row.cells.member;
  if (wanted !== '404' && wanted !== '422') return undefined;
  const thing = await things[row.thing](world, 'member');
  const at = fillPath(path, (part) => thing[part] ?? thing.id).replace(/(?<=.)\/$/, '');
  const body = row.body?.(world, thing);
  let answer: Promise<unknown> = Promise.resolve();
  // Requests that put a resource into a folder can wait for each other. Lock the folder tree only if 404 is expected.
  const locked = { team: world.team.id, ids: Object.values(thing), trees: wanted === '404' };
  const found = await whileLocked(chancery.pool, locked, soonMs, () => {
    const statusText = world
      .send(world.tokens.member, method, at + (row.query?.(thing) ?? ''), body)
      // A bulk operation returns one result for each item.
      .then(({ status, body: given }) => String(given?.results?.[0]?.status ?? status));
    answer = statusText;
    return statusText;
  });
  await answer;
  return found === wanted ? undefined : `${name}: ${found} instead of ${wanted}`;
}

function splitOperation(name: string): { method?: string; path?: string } {
  const [method, path] = name.split(' ');
  return { ...(method === undefined ? {} : { method }), ...(path === undefined ? {} : { path }) };
}

for (const [area, rows] of Object.entries(accessTable))
  test(`${area}: a caller who cannot see a resource does not wait for its row locks`, async () => {
    const wrong: string[] = [];
    for (const name of sample(Object.keys(rows), 0.05, (row) => row)) {
      const found = await refused(name);
      if (found !== undefined) wrong.push(found);
    }
    assert.deepEqual(wrong, []);
  });
