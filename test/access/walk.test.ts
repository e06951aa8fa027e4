import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestResponse, type Chancery, startChancery } from '../harness.ts';
import { eventually } from '../webhook-receiver.ts';
import type { Operation } from '../openapi.ts';
import { seedEverything } from '../seed.ts';
import { firstStaff, staffToken } from '../staff.ts';
import { acts } from '../suites/acts.ts';
import { seededPath } from '../suites/isolation.ts';
import { fillPath, named, plausible } from '../suites/walk.ts';
import { type Caller, openWorld, type AccessWorld } from './callers.ts';
import type { Cell, Row } from './rows.ts';
import { accessTable, operationOf } from './table.ts';
import { type Thing, things } from './things.ts';
import { isSampled, sample } from '../tier.ts';

let chancery: Chancery;
let world: AccessWorld;
let staff: string;
let seeded: Record<string, string>;

before(async () => {
  chancery = await startChancery({ withoutReading: true, settings: { ALTCHA: 'off', WEBHOOK_RETRY_SCHEDULE: '1h', ...firstStaff } });
  world = await openWorld(chancery);
  staff = await staffToken(chancery);
  seeded = await seedEverything(chancery, world.people.owner);
  await eventually('a checkpoint', async () => (await chancery.call('GET', '/tlog/checkpoint')).status === 200);
});
after(() => chancery.stop());

const described = (name: string): Operation => {
  const found = chancery.description.operations.find((operation) => named(operation) === name);
  assert.ok(found, `${name} is not an operation of the API description: remove its row from test/access/table.ts or test/operations`);
  return found;
};
const withoutSlash = (path: string) => path.replace(/(?<=.)\/$/, '');

test('each operation of the API description has a row in the access table', () => {
  const rows = new Set(Object.values(accessTable).flatMap((area) => Object.keys(area).map((row) => operationOf(row).name)));
  const missing = chancery.description.operations.map(named).filter((name) => !rows.has(name));
  assert.deepEqual(missing, [], 'add them to test/access/table.ts or test/operations');
  for (const name of rows) described(name);
});

/** Returns the cell value for a response. */
function outcome(answer: TestResponse, wanted: Cell, id: string): string {
  // A bulk operation returns one result for each item.
  const status = answer.body?.results?.[0]?.status ?? answer.status;
  if (status >= 300) return String(status);
  if (wanted === 'seen' || wanted === 'unseen') return answer.text.includes(id) ? 'seen' : 'unseen';
  return 'yes';
}

/** Calls the operation of a row as one caller. */
type TryCell = (token: string | undefined, caller: Caller) => Promise<{ answer: TestResponse; id: string }>;

function tryThing(row: Extract<Row, { kind: 'thing' }>, method: string, path: string): TryCell {
  let unused: Thing | undefined;
  return async (token, caller) => {
    const cell = row.cells[caller];
    // A rejected request changes nothing, so the next caller can use the same resource. A resource of one person is created for that person.
    const spent = cell === 'yes' && method !== 'GET';
    const own = caller === 'clerk' || caller === 'assignee';
    const thing = (own ? undefined : unused) ?? (await things[row.thing](world, caller));
    if (!own) unused = spent ? undefined : thing;
    const at = fillPath(path, (name) => thing[name] ?? thing.id);
    const body = row.body?.(world, thing);
    return { answer: await world.send(token, method, withoutSlash(at) + (row.query?.(thing) ?? ''), body), id: thing.id };
  };
}

function tryAct(name: string, row: Extract<Row, { kind: 'act' }>): TryCell {
  const prepared = acts[name];
  assert.ok(prepared, `${name} is in test/suites/acts.ts`);
  const { owner, member } = world.people;
  let asking: string | undefined;
  let unused: (() => Promise<TestResponse>) | undefined;
  return async (token, caller) => {
    asking = token;
    const act =
      unused ??
      (await prepared.prepare({
        chancery,
        owner,
        member,
        staffToken: staff,
        send: (method, path, body, options) =>
          chancery.call(method, path, { ...options, ...(asking === undefined ? {} : { token: asking }), body }),
        made: (method, path, body) => world.made('owner', method, path, body),
      }));
    // A rejected request changes nothing, so the next caller can use the prepared resource.
    unused = row.cells[caller] === 'yes' ? undefined : act;
    return { answer: await act(), id: '' };
  };
}

function trySeeded(operation: Operation, query = ''): TryCell {
  return async (token) => ({ answer: await world.send(token, operation.method, seededPath(seeded, operation.path) + query), id: '' });
}

function trial(row: Exclude<Row, { kind: 'own' | 'public' | 'staff' }>, operation: Operation): TryCell {
  if (row.kind === 'thing') return tryThing(row, operation.method, operation.path);
  return row.kind === 'act' ? tryAct(named(operation), row) : trySeeded(operation, row.query);
}

test('journal entries on folders, documents and registries record access by the role of owner or administrator', async () => {
  const silent: string[] = [];
  for (const area of ['Folders', 'Documents', 'Registries']) {
    for (const [name, row] of sample(Object.entries(accessTable[area] ?? {}), share, ([key]) => key)) {
      const operation = described(operationOf(name).name);
      // Creating a top-level folder needs no role, and the folder of a client belongs to the owner.
      if (row.kind !== 'thing' || operation.method === 'GET' || name === 'POST /api/v1/smartdoc/folders/') continue;
      if (name === 'POST /api/v1/smartdoc/documents/' || name === 'POST /api/v1/registries/') continue;
      // It changes nothing.
      if (name === 'POST /api/v1/registries/{typeId}/records/import/preview') continue;
      for (const caller of ['owner', 'admin'] as const) {
        if (row.cells[caller] !== 'yes' || (caller === 'owner' && /^(clientFolder|mixedFolder)$/.test(row.thing))) continue;
        const { answer } = await trial(row, operation)(world.tokens[caller], caller);
        const { rows } = await chancery.pool.query(
          "SELECT type, data->>'via' AS via FROM audit_entry WHERE request_id = $1 AND target_type IN ('folder', 'document', 'registry', 'registryRecord')",
          [answer.headers.get('x-request-id')],
        );
        if (rows.length === 0) silent.push(`${name} by ${caller}: no entry, ${answer.status}`);
        silent.push(...rows.filter(({ via }) => via !== 'role').map(({ type }) => `${name} by ${caller}: ${type}`));
      }
    }
  }
  assert.deepEqual(silent, []);
});

/** The share of the rows that `npm test` tests with all callers. */
const share = 0.05;

/** The areas with types in matrix.test.ts. The matrix tests all callers, so two calls suffice to test the permission of an operation. */
const inMatrix: ReadonlySet<string> = new Set(['Folders', 'Documents', 'Registries', 'Document templates', 'Interfaces', 'Agents']);

/** The callers from the strongest to the weakest. */
const byStrength: readonly Caller[] = [
  'owner',
  'admin',
  'client',
  'creator',
  'writer',
  'clerk',
  'reader',
  'assignee',
  'guest',
  'auditor',
  'viewer',
  'member',
];

type CellRow = Exclude<Row, { kind: 'own' | 'public' | 'staff' }>;
const isOf =
  (cells: readonly Cell[]) =>
  (row: CellRow) =>
  (caller: Caller): boolean =>
    cells.includes(row.cells[caller]);
/** Status 409 or 422 is about the state of the resource. If no caller succeeds, a caller with this status counts as allowed. */
const [succeeds, meetsState, isDenied] = [isOf(['yes', 'seen']), isOf(['409', '422']), isOf(['401', '403', '404', 'unseen'])];

/** All callers of a row, or its weakest allowed and its strongest denied caller. */
function callersOf(area: string, name: string, row: CellRow): Caller[] {
  const callers = byStrength.filter((caller) => row.cells[caller] !== '·');
  if (!inMatrix.has(area) && isSampled(name, share)) return callers;
  const allowed = callers.findLast(succeeds(row)) ?? callers.findLast(meetsState(row));
  return [allowed, callers.find(isDenied(row))].filter((caller) => caller !== undefined);
}

test('each operation with callers in the table has an allowed caller', () => {
  const known = new Map<string, boolean>();
  for (const [name, row] of Object.values(accessTable).flatMap((area) => Object.entries(area))) {
    const operation = operationOf(name).name;
    const allowed = !('cells' in row) || byStrength.some((caller) => succeeds(row)(caller) || meetsState(row)(caller));
    known.set(operation, allowed || known.get(operation) === true);
  }
  assert.deepEqual(
    [...known].filter(([, allowed]) => !allowed).map(([name]) => name),
    [],
  );
});

for (const [area, rows] of Object.entries(accessTable)) {
  test(`${area}: each kind of caller gets the result of the table`, async () => {
    // On a slow machine all areas together take longer than a staff session lasts.
    staff = await staffToken(chancery);
    const wrong: string[] = [];
    for (const [name, row] of Object.entries(rows)) {
      const operation = described(operationOf(name).name);
      if (row.kind === 'own' || row.kind === 'public' || row.kind === 'staff') {
        wrong.push(...(await tryKind(row.kind, operation)).map((found) => `${name}: ${found}`));
        continue;
      }
      const attempt = trial(row, operation);
      const callers = callersOf(area, name, row);
      for (const caller of callers) {
        const wanted = row.cells[caller];
        const { answer, id } = await attempt(world.tokens[caller], caller);
        const found = outcome(answer, wanted, id);
        if (found !== wanted) wrong.push(`${name}: ${caller} got ${found} instead of ${wanted}: ${answer.text.slice(0, 200)}`);
      }
      // If the whole team is allowed, only these calls are denied.
      if (isSampled(name, share) || !callers.some(isDenied(row)))
        wrong.push(...(await refusedAnyway(operation)).map((found) => `${name}: ${found}`));
    }
    if (wrong.length > 0) assert.fail(wrong.join('\n'));
  });
}

/** Calls the operation without the scope, without a credential and with a staff token. Returns unexpected results. */
async function refusedAnyway(operation: Operation): Promise<string[]> {
  const path = seededPath(seeded, operation.path);
  const body = operation.hasBody ? plausible(operation.body) : undefined;
  const wrong: string[] = [];
  const expect = async (who: string, token: string | undefined, status: number) => {
    const answer = await world.send(token, operation.method, path, body);
    if (answer.status !== status) wrong.push(`${who} got ${answer.status} instead of ${status}`);
  };
  await expect('nobody', undefined, 401);
  await expect('staff', staff, 401);
  for (const scope of operation.scopes) await expect(`a client without ${scope}`, await world.unscoped(scope), 403);
  return wrong;
}

/** Tests operations without a resource of the team. Checks only whether authorization succeeds. */
async function tryKind(kind: 'own' | 'public' | 'staff', operation: Operation): Promise<string[]> {
  const path = seededPath(seeded, operation.path);
  const body = operation.hasBody ? plausible(operation.body) : undefined;
  const call = (token: string | undefined) =>
    chancery.call(operation.method, path, { ...(token === undefined ? {} : { token }), ...(operation.form ? {} : { body }) });
  const codeOf = async (token: string | undefined) => {
    const { status, body: problem } = await call(token);
    return status >= 400 ? `${status} ${problem?.code ?? problem?.error}` : String(status);
  };
  const wrong: string[] = [];
  const expect = async (who: string, token: string | undefined, allowed: (code: string) => boolean) => {
    const code = await codeOf(token);
    if (!allowed(code)) wrong.push(`${who} got ${code}`);
  };
  const shut = (code: string) => code === '401 unauthenticated' || code === '401 invalid_token';
  const passed = (code: string) => !shut(code) && !/^403 (person_required|insufficient_scope|forbidden)/.test(code);
  if (kind === 'public') {
    await expect('nobody', undefined, (code) => code !== '401 unauthenticated');
    return wrong;
  }
  await expect('nobody', undefined, shut);
  if (kind === 'staff') {
    // A staff logout would end the session that later rows need.
    if (!operation.path.endsWith('/logout')) await expect('staff', staff, passed);
    for (const caller of ['owner', 'client'] as const) await expect(caller, world.tokens[caller], shut);
    return wrong;
  }
  await expect('staff', staff, shut);
  await expect('client', world.tokens.client, (code) => code === '403 person_required');
  for (const role of ['member', 'viewer', 'guest', 'auditor'] as const) {
    const { token } = await chancery.user(world.team, { role });
    await expect(role, token, passed);
  }
  return wrong;
}
