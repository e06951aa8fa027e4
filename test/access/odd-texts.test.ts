import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery } from '../harness.ts';
import { fillPath } from '../suites/walk.ts';
import { type Caller, callerNames, openWorld, type AccessWorld } from './callers.ts';
import type { Row } from './rows.ts';
import { accessTable, operationOf } from './table.ts';
import { type Thing, things } from './things.ts';
import { exhaustive, isSampled } from '../tier.ts';

/*
 * Sends odd values for each text of each operation, one at a time, in an otherwise valid body for an existing resource. The requests of
 * suites/fuzz name resources that do not exist, so they stop at the lookup.
 */

let chancery: Chancery;
let world: AccessWorld;
before(async () => {
  chancery = await startChancery({ role: 'api', withoutReading: true, settings: { ALTCHA: 'off', WEBHOOK_RETRY_SCHEDULE: '1h' } });
  world = await openWorld(chancery);
});
after(() => chancery.stop());

type JsonPath = readonly (string | number)[];
type Text = { at: JsonPath; longest: number; least: number };

/** Returns the paths of the texts in a body. Only the first item of each list counts. */
function textsOf(schema: any, at: JsonPath = []): Text[] {
  if (!schema || at.length > 4) return [];
  const here =
    schema.type === 'string' && !schema.enum && at.length > 0
      ? [{ at, longest: schema.maxLength ?? 1_000, least: schema.minLength ?? 0 }]
      : [];
  const variants = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((some: any[] = []) => some.flatMap((one) => textsOf(one, at)));
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => textsOf(member, [...at, name]));
  const found = [...here, ...variants, ...members, ...(schema.items && at.length > 0 ? textsOf(schema.items, [...at, 0]) : [])];
  return [...new Map(found.map((one) => [one.at.join('/'), one])).values()];
}

/** Returns the body with another value at a path. Creates missing members. */
function withValue(body: any, [first, ...rest]: JsonPath, value: string): any {
  if (first === undefined) return value;
  const known = typeof body === 'object' && body !== null ? body : {};
  const inner = withValue(known[first], rest, value);
  return typeof first === 'number' ? [inner, ...(Array.isArray(body) ? body.slice(1) : [])] : { ...known, [first]: inner };
}

type ThingRow = Extract<Row, { kind: 'thing' }>;
const callerOf = ({ cells }: ThingRow): Caller | undefined =>
  callerNames.toReversed().find((name) => cells[name] === 'yes' && name !== 'client');

/**
 * Sends odd values for each text of an operation. Creates a new resource if a request created or ended one. Otherwise it reuses the changed
 * resource, and creates a new one after a rejection, because an earlier change may be the cause.
 */
async function sendOddly(method: string, path: string, row: ThingRow, schema: unknown): Promise<string[]> {
  const caller = callerOf(row);
  const plain = caller && row.body?.(world, await things[row.thing](world, caller));
  if (caller === undefined || plain === undefined || plain instanceof FormData) return [];
  const wrong: string[] = [];
  const statusOf = async (thing: Thing, at: JsonPath, odd: string) => {
    const body = withValue(row.body?.(world, thing), at, odd);
    const to = fillPath(path, (name) => thing[name] ?? thing.id).replace(/(?<=.)\/$/, '');
    // `send` compares the response with its schema.
    const { status } = await world.send(world.tokens[caller], method, to, body);
    if (status >= 500) wrong.push(`${method} ${path} with ${JSON.stringify(odd.slice(0, 4))} at /${at.join('/')} returned ${status}`);
    return status;
  };
  const changes = method === 'PUT' || method === 'PATCH';
  let left: { thing: Thing; changed: boolean } | undefined;
  for (const { at, longest, least } of textsOf(schema)) {
    for (const odd of [' ', '\0', '𝒳'.repeat(Math.min(longest, 2_000))]) {
      const earlier = left;
      left = undefined;
      try {
        let thing = earlier?.thing ?? (await things[row.thing](world, caller));
        let status = await statusOf(thing, at, odd);
        if (earlier?.changed && status >= 300) {
          thing = await things[row.thing](world, caller);
          status = await statusOf(thing, at, odd);
        }
        if (odd === ' ' && least > 0 && status < 300) wrong.push(`${method} ${path} accepted a space as the text at /${at.join('/')}`);
        if (status === 400 || status === 422) left = { thing, changed: false };
        if (status < 300 && changes) left = { thing, changed: true };
      } catch (error) {
        wrong.push(String(error));
      }
    }
  }
  return wrong;
}

test('spaces only, a NUL character and texts of maximum length are rejected or get a described response', async () => {
  const tried = new Set<string>();
  const wrong: string[] = [];
  for (const [area, rows] of Object.entries(accessTable)) {
    // Saving a template renders it first, which would take as long as all other areas together.
    if (area === 'Document templates') continue;
    for (const [label, row] of Object.entries(rows)) {
      const { method, path, name } = operationOf(label);
      if (row.kind !== 'thing' || method === 'GET' || tried.has(name) || !isSampled(name, 0.03)) continue;
      tried.add(name);
      wrong.push(...(await sendOddly(method, path, row, chancery.description.find(method, path.replaceAll(/\{[^}]+\}/g, 'x'))?.body)));
    }
  }
  if (exhaustive) assert.ok(tried.size > 100, `${tried.size} operations were tested`);
  assert.deepEqual(wrong, []);
});
