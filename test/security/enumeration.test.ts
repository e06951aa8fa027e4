import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, type Chancery, startChancery } from '../harness.ts';
import { authPath, enrolled, goodPassword, registered } from '../people.ts';

let chancery: Chancery;
/** One address of each kind that an attacker would like to tell from the others. */
let kinds: Record<string, string>;
let strangers = 0;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off' } });
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
after(() => chancery.stop());

const post = (path: string, body: unknown) => chancery.call('POST', `${authPath}${path}`, { body });
const person = (email: string) => ({ email, firstName: 'Ada', lastName: 'Lovelace', password: goodPassword });
const nobody = () => `nobody${(strangers += 1)}@example.org`;

/** What a client sees, apart from what differs with each request. */
function seen(answer: Answer): unknown {
  const { request_id: _id, trace_id: _trace, ...body } = answer.body;
  const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'set-cookie', 'keep-alive'].includes(name));
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, '').replace(/Expires=[^;]*/i, ''));
  return { status: answer.status, body, headers, cookies };
}

type Times = { median: number; quick: number };
const at = (sorted: number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;

/** Times of as many tries for each address, one kind after the other, so that what disturbs one disturbs all (milliseconds). */
async function times(send: (email: string) => Promise<Answer>, of: string[], rounds: number): Promise<Map<string, Times>> {
  const took = new Map<string, number[]>(['nobody', ...of].map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round += 1) {
    // Budgets are another matter: they would refuse most of the tries.
    await chancery.pool.query('DELETE FROM throttle');
    const order = [...took];
    for (const [kind, mine] of [...order.slice(round % order.length), ...order.slice(0, round % order.length)]) {
      const email = kinds[kind] ?? nobody();
      const started = performance.now();
      await send(email);
      mine.push(performance.now() - started);
    }
  }
  return new Map(
    [...took].map(([kind, mine]) => {
      const sorted = mine.toSorted((a, b) => a - b);
      return [kind, { median: at(sorted, 0.5), quick: at(sorted, 0.1) }];
    }),
  );
}

/** 1 or -1 when something takes longer or shorter by more than 5 ms and a tenth, in the middle and among the quickest: else 0. */
function apart(mine: Times, base: Times): number {
  const by = (a: number, b: number) => (Math.abs(a - b) > Math.max(5, b * 0.1) ? Math.sign(a - b) : 0);
  const middle = by(mine.median, base.median);
  return middle === by(mine.quick, base.quick) ? middle : 0;
}

/**
 * Fails when the address of one kind takes longer than that of nobody, or shorter, three times in a row. What else runs
 * on the machine shifts now one kind and now another; what tells them apart shifts one, always to the same side.
 */
async function inLikeTime(send: (email: string) => Promise<Answer>, rounds: number): Promise<void> {
  let suspected = Object.keys(kinds).flatMap((kind) => [-1, 1].map((side) => ({ kind, side })));
  let told = '';
  for (let tries = 0; tries < 3 && suspected.length > 0; tries += 1) {
    const found = await times(send, [...new Set(suspected.map(({ kind }) => kind))], rounds);
    const base = found.get('nobody') ?? { median: 0, quick: 0 };
    suspected = suspected.filter(({ kind, side }) => apart(found.get(kind) ?? base, base) === side);
    told = [...found].map(([kind, { median }]) => `${kind} ${median.toFixed(1)} ms`).join(', ');
  }
  assert.deepEqual(suspected, [], told);
}

const operations: [string, (email: string) => Promise<Answer>, number][] = [
  ['a wrong password', (email) => post('/login', { email, password: 'WrongHorse9Battery' }), 34],
  ['a registration', (email) => post('/register', person(email)), 34],
  ['a request for a new password', (email) => post('/request-password-reset', { email }), 34],
  ['a request for a new code', (email) => post('/resend-verification', { email }), 34],
  ['a wrong code', (email) => post('/verify-email', { email, code: '000000' }), 34],
];

for (const [what, send, rounds] of operations) {
  test(`${what} is answered alike for every address: status, body, headers and cookies`, async () => {
    await chancery.pool.query('DELETE FROM throttle');
    const expected = seen(await send(nobody()));
    for (const [kind, email] of Object.entries(kinds)) assert.deepEqual(seen(await send(email)), expected, kind);
  });

  test(`${what} takes the same time for every address: medians of 200 tries in turn`, () => inLikeTime(send, rounds));
}

for (const [what, password] of [
  ['empty', ''],
  ['of one character', 'x'],
  ['of 1 024 characters', 'x'.repeat(1_024)],
] as const) {
  test(`a password that is ${what} tells no more of an address than any other`, async () => {
    await chancery.pool.query('DELETE FROM throttle');
    const expected = seen(await post('/login', { email: nobody(), password }));
    for (const [kind, email] of Object.entries(kinds)) assert.deepEqual(seen(await post('/login', { email, password })), expected, kind);
  });
}

test('failures are held up alike, whether or not the address has an account', async () => {
  for (const [kind, email] of Object.entries({ nobody: nobody(), ...kinds })) {
    await chancery.pool.query('DELETE FROM throttle');
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await post('/login', { email, password: 'WrongHorse9Battery' })).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429], kind);
  }
});
