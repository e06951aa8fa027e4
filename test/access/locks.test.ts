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
 * Who does not see a thing, and knows its identifier, can neither tell that somebody works on it nor keep them from it: each operation that
 * changes something is called while all of the thing is locked, and answers at once. What waits for no lock of a row takes none.
 */

let chancery: Chancery;
let world: AccessWorld;

before(async () => {
  chancery = await sharedChancery();
  world = await openWorld(chancery);
});

/** Longer than any of them takes on a machine that has other work. */
const soonMs = 10_000;

/** What a member who has nothing to do with the thing of a row gets for naming it. */
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
  // What is named in something of one's own is looked at in its turn among those who put something into folders.
  const locked = { team: world.team.id, ids: Object.values(thing), trees: wanted === '404' };
  const found = await whileLocked(chancery.pool, locked, soonMs, () => {
    const statusText = world
      .send(world.tokens.member, method, at + (row.query?.(thing) ?? ''), body)
      // Of several things at once each has a result of its own.
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
  test(`${area}: who does not see a thing does not wait for who works on it`, async () => {
    const wrong: string[] = [];
    for (const name of sample(Object.keys(rows), 0.1, (row) => row)) {
      const found = await refused(name);
      if (found !== undefined) wrong.push(found);
    }
    assert.deepEqual(wrong, []);
  });
