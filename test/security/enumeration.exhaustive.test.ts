import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestResponse, type Chancery, sharedChancery } from '../harness.ts';
import { authPath, enrolled, goodPassword, registered } from '../people.ts';
import { firstStaff, staffPath } from '../staff.ts';

let chancery: Chancery;
/** One address of each kind that an attacker wants to distinguish. */
let kinds: Record<string, string>;
let strangers = 0;
before(async () => {
  chancery = await sharedChancery();
  const [known, disabled, suspended, withFactor] = await Promise.all([
    registered(chancery),
    registered(chancery),
    registered(chancery),
    enrolled(chancery),
  ]);
  await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [disabled.id]);
  await chancery.pool.query("UPDATE team SET status = 'suspended' WHERE team_id = $1", [suspended.team]);
  const unverified = 'unverified@example.org';
  await post('/register', person(unverified));
  kinds = {
    known: known.email,
    unverified,
    disabled: disabled.email,
    'of a suspended team': suspended.email,
    'with a second factor': withFactor.email,
  };
});

const post = (path: string, body: unknown) => chancery.call('POST', `${authPath}${path}`, { body });
const person = (email: string) => ({ email, firstName: 'Ada', lastName: 'Lovelace', password: goodPassword });
const unknownEmail = () => `nobody${(strangers += 1)}@example.org`;

/** Returns the visible parts of a response without those that differ for each request. */
function seen(answer: TestResponse): unknown {
  const { request_id: _id, trace_id: _trace, ...body } = answer.body;
  const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'set-cookie', 'keep-alive'].includes(name));
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, '').replace(/Expires=[^;]*/i, ''));
  return { status: answer.status, body, headers, cookies };
}

type Times = { median: number; quick: number };
const at = (sorted: number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;

/**
 * Attempts of one operation. Operations with a password hash run one by one, because a hash takes 10 ms of CPU time. There, kinds after
 * the first have the same path up to the hash, so each fourth round tests one of them. Other operations are staggered: the work of one
 * is done when the next begins, but its waiting time is not.
 */
type Tries = { send: (email: string) => Promise<TestResponse>; order: 'one by one' | 'staggered' };
/** Fewer rounds for attempts one by one, because each rejection takes at least 50 ms. */
const rounds = { 'one by one': 40, staggered: 200 };
const staggerMs = 8;

/** Deletes the counters of limits, which would reject most attempts. Skips counters that a concurrent attempt has locked. */
const renewBudgets = () => chancery.pool.query('DELETE FROM throttle WHERE key IN (SELECT key FROM throttle FOR UPDATE SKIP LOCKED)');

/** Measures many attempts in milliseconds. Alternates between the kinds, so that a disturbance affects all of them. */
async function times({ send, order }: Tries, of: Record<string, string>): Promise<Map<string, Times>> {
  const took = new Map<string, number[]>(['nobody', ...Object.keys(of)].map((kind) => [kind, []]));
  const timed = async ([kind, mine]: [string, number[]]) => {
    const email = of[kind] ?? unknownEmail();
    const started = performance.now();
    await send(email);
    mine.push(performance.now() - started);
  };
  const begun: Promise<void>[] = [];
  for (let round = 0; round < rounds[order]; round += 1) {
    await renewBudgets();
    const [base, first, ...others] = [...took];
    const other = round % 4 === 0 ? others[(round / 4) % Math.max(1, others.length)] : undefined;
    const now = [base, first, ...(order === 'staggered' ? others : [other])].filter((one) => one !== undefined);
    const turned = [...now.slice(round % now.length), ...now.slice(0, round % now.length)];
    for (const one of turned) {
      const trying = timed(one);
      begun.push(trying);
      await (order === 'staggered' ? sleep(staggerMs) : trying);
    }
  }
  await Promise.all(begun);
  return new Map(
    [...took].map(([kind, mine]) => {
      const sorted = mine.toSorted((a, b) => a - b);
      return [kind, { median: at(sorted, 0.5), quick: at(sorted, 0.1) }];
    }),
  );
}

/** Returns 1 or -1 if both the median and the fastest attempts differ by more than 10 %, otherwise 0. */
function apart(mine: Times, base: Times): number {
  const by = (a: number, b: number) => (Math.abs(a - b) > b * 0.1 ? Math.sign(a - b) : 0);
  const middle = by(mine.median, base.median);
  return middle === by(mine.quick, base.quick) ? middle : 0;
}

/**
 * Fails if the address of one kind takes longer, or shorter, than an unknown address six times in a row. Other load on the machine
 * affects random kinds. A real difference always affects the same kind in the same direction.
 */
async function inLikeTime(sent: Tries, of: Record<string, string>): Promise<void> {
  let suspected = Object.keys(of).flatMap((kind) => [-1, 1].map((side) => ({ kind, side })));
  let reply = '';
  for (let n = 0; n < 6 && suspected.length > 0; n += 1) {
    const found = await times(sent, Object.fromEntries(Object.entries(of).filter(([kind]) => suspected.some((one) => one.kind === kind))));
    const base = found.get('nobody') ?? { median: 0, quick: 0 };
    suspected = suspected.filter(({ kind, side }) => apart(found.get(kind) ?? base, base) === side);
    reply = [...found].map(([kind, { median }]) => `${kind} ${median.toFixed(1)} ms`).join(', ');
  }
  assert.deepEqual(suspected, [], reply);
}

const hashed: [string, Tries][] = [
  ['a wrong password', { send: (email) => post('/login', { email, password: 'WrongHorse9Battery' }), order: 'one by one' }],
  ['a registration', { send: (email) => post('/register', person(email)), order: 'one by one' }],
];
const evened: [string, Tries][] = [
  ['a request for a new password', { send: (email) => post('/request-password-reset', { email }), order: 'staggered' }],
  ['a request for a new code', { send: (email) => post('/resend-verification', { email }), order: 'staggered' }],
  ['a wrong code', { send: (email) => post('/verify-email', { email, code: '000000' }), order: 'staggered' }],
];

for (const [what, { send }] of [...hashed, ...evened])
  test(`${what} gets the same response for each address: status, body, headers and cookies`, async () => {
    await renewBudgets();
    const expected = seen(await send(unknownEmail()));
    for (const [kind, email] of Object.entries(kinds)) assert.deepEqual(seen(await send(email)), expected, kind);
  });

for (const [what, { send }] of evened)
  test(`the response to ${what} takes at least 50 ms`, async () => {
    for (const [kind, email] of Object.entries({ unknownEmail: unknownEmail(), ...kinds })) {
      const started = performance.now();
      await send(email);
      // A timer can fire 1 ms early.
      assert.ok(performance.now() - started >= 49, kind);
    }
  });

const taking = (what: string) => `${what} takes the same time for each address: the medians of many attempts differ by at most 10 %`;
for (const [what, sent] of hashed) test(taking(what), () => inLikeTime(sent, kinds));
describe('operations without a password hash', { concurrency: true }, () => {
  for (const [what, sent] of evened) test(taking(what), () => inLikeTime(sent, kinds));
});

test('a wrong staff password gets the same response in the same time for active, disabled and unknown accounts', async () => {
  await chancery.pool.query(
    `INSERT INTO staff (id, email, email_key, name, password_hash, is_active)
     SELECT gen_random_uuid(), 'off@example.org', 'off@example.org', name, password_hash, false FROM staff`,
  );
  const of = { active: firstStaff.STAFF_BOOTSTRAP_EMAIL, 'switched off': 'off@example.org' };
  const send = (email: string) => chancery.call('POST', `${staffPath}/login`, { body: { email, password: 'WrongHorse9Battery' } });
  await chancery.pool.query('DELETE FROM throttle');
  const expected = seen(await send(unknownEmail()));
  for (const [kind, email] of Object.entries(of)) assert.deepEqual(seen(await send(email)), expected, kind);
  await inLikeTime({ send, order: 'one by one' }, of);
});

for (const [what, password] of [
  ['empty', ''],
  ['of one character', 'x'],
  ['of 1 024 characters', 'x'.repeat(1_024)],
] as const) {
  test(`a password that is ${what} does not disclose whether an address has an account`, async () => {
    await renewBudgets();
    const expected = seen(await post('/login', { email: unknownEmail(), password }));
    for (const [kind, email] of Object.entries(kinds)) assert.deepEqual(seen(await post('/login', { email, password })), expected, kind);
  });
}

test('failed sign-ins are delayed equally with and without an account', async () => {
  for (const [kind, email] of Object.entries({ unknownEmail: unknownEmail(), ...kinds })) {
    await chancery.pool.query('DELETE FROM throttle');
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await post('/login', { email, password: 'WrongHorse9Battery' })).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429], kind);
  }
});
