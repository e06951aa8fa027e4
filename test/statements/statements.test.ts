import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../postgres.ts';
import { type MadeStatement, madeStatements } from '../../src/platform/database/statement.ts';
import { type Claims, readClaims, type StatementClaims } from './claimed.ts';
import type { CallSite, Collected } from './collected.ts';
import { errorsOf } from './compare.ts';
import { type Describer, openDescriber } from './described.ts';
import { exhaustiveTest } from '../tier.ts';

const root = join(import.meta.dirname, '../..');
/** All statements of the service, collected in a separate process because this process can already have loaded some modules. */
const collected: Collected[] = JSON.parse(
  execFileSync(process.execPath, [join(import.meta.dirname, 'collect.ts')], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }),
);

const lines = new Map<string, number[]>();
/** Returns the position of a call in its file. */
function place({ file, line, column }: CallSite): { file: string; at: number } {
  const starts = lines.get(file) ?? [...`\n${readFileSync(file, 'utf8')}`.matchAll(/\n/g)].map(({ index }) => index);
  lines.set(file, starts);
  return { file, at: (starts[line - 1] ?? 0) + column - 1 };
}
const called = ({ calls: [call] }: Collected) => (call ? `${relative(root, call.file)}:${call.line}` : 'nowhere');
const inTree = ({ file }: CallSite) => file.startsWith(join(root, 'src')) || file.endsWith('/built.ts');

const claims: Claims = readClaims(root, [...new Set(collected.flatMap(({ calls }) => calls.filter(inTree).map(({ file }) => file)))]);
const claimOf = (made: Collected) => claims.of(made.calls.filter(inTree).map(place));

/** Runs `work` with a superuser connection to an empty database with the schema. */
async function onSchema<T>(work: (describer: Describer) => Promise<T>): Promise<T> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(await openDescriber(client));
  } finally {
    await client.end();
    await database.drop();
  }
}

test('all statements fit the schema, and their claimed types match PostgreSQL', async () => {
  const errors = await onSchema(async (describer) => {
    const found: string[] = [];
    for (const made of collected) found.push(...(await errorsIn(describer, made, claimOf(made))).map((one) => `${called(made)}: ${one}`));
    return found;
  });
  assert.deepEqual([...new Set(errors)], []);
});

type CollectedStatement = Pick<Collected, 'text' | 'parameters' | 'because'>;

async function errorsIn(describer: Describer, made: CollectedStatement, claimed: StatementClaims | undefined): Promise<string[]> {
  if (!claimed) return ['the claims were not found'];
  const nullable = made.parameters.map((name) => name !== null && (claimed.parameters[name]?.kinds.has('null') ?? true));
  const described = await describer.describe(made.text, nullable).catch((error: Error) => error);
  return described instanceof Error ? [described.message] : errorsOf(described, made, claimed);
}

exhaustiveTest('the check finds all wrong claims and no others', async () => {
  const file = join(import.meta.dirname, 'wrong.ts');
  const statements: MadeStatement[] = [];
  const hear = (made: unknown) => void statements.push(made as MadeStatement);
  madeStatements.subscribe(hear);
  const { expected } = await import('./wrong.ts');
  madeStatements.unsubscribe(hear);
  const wrong = readClaims(root, [file]).all;
  await onSchema(async (describer) => {
    const found: string[][] = [];
    for (const [at, { text, parameters, because }] of statements.entries())
      found.push(
        await errorsIn(
          describer,
          { text, parameters: parameters.map((name) => name ?? null), because: because as Record<string, string> },
          wrong[at],
        ),
      );
    assert.deepEqual(found, expected);
    await assert.rejects(describer.plan('SELECT id FROM staff', 'chancery_app'), /permission denied/);
  });
});

test('the role of requests or the role of background work can run each statement', async () => {
  const refused = await onSchema(async (describer) => {
    const found: string[] = [];
    const planned = (text: string, role: string) =>
      describer.plan(text, role).then(
        () => '',
        (error: Error) => error.message,
      );
    for (const made of collected) {
      const refusal = (await planned(made.text, 'chancery_app')) && (await planned(made.text, 'chancery_system'));
      if (refusal) found.push(`${called(made)}: ${refusal}`);
    }
    return found;
  });
  assert.deepEqual(refused, []);
});

test('built.ts contains all queries that are compiled for each call', () => {
  const built = readFileSync(join(import.meta.dirname, 'built.ts'), 'utf8');
  const builders = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/function (\w+)\([^)]*\): Compilable</g)].map(([, name = '']) => name),
  );
  assert.ok(builders.length > 0);
  assert.deepEqual(
    builders.filter((name) => !built.includes(`builtAs(${name}(`)),
    [],
  );
});

test('all calls create their statements when their module is loaded, and use each claimed parameter', () => {
  const used = new Map<object, Set<string | null>>();
  for (const made of collected) {
    const claimed = claimOf(made);
    if (claimed) used.set(claimed, new Set([...(used.get(claimed) ?? []), ...made.parameters]));
  }
  const errors = claims.all.flatMap((claimed) => {
    const where = `${relative(root, claimed.file)} at ${claimed.start}`;
    const names = used.get(claimed);
    if (!names) return [`${where}: creates no statement`];
    return Object.keys(claimed.parameters).flatMap((name) => (names.has(name) ? [] : [`${where}: does not use $${name}`]));
  });
  assert.deepEqual(errors, []);
});

/** Returns the text before the parentheses around each `FOR UPDATE` and similar clause. The text is empty without parentheses. */
function locksIn(text: string): string[] {
  const opened: number[] = [];
  const found: string[] = [];
  for (const { 0: met, index } of text.matchAll(/'[^']*'|[()]|\bFOR (?:UPDATE|NO KEY UPDATE|SHARE|KEY SHARE)\b/g)) {
    if (met === '(') opened.push(index);
    else if (met === ')') opened.pop();
    else if (met.startsWith('FOR')) found.push(text.slice(0, opened.at(-1) ?? 0).trimEnd());
  }
  return found;
}

test('no statement locks rows in a part that PostgreSQL can run again for each row of another part', () => {
  assert.deepEqual(locksIn("UPDATE a SET b = ')' FROM (SELECT FROM c FOR UPDATE SKIP LOCKED) d"), ["UPDATE a SET b = ')' FROM"]);
  const once = /^$|\bAS(?: MATERIALIZED)?$|\bLATERAL$/;
  const errors = collected.flatMap((made) =>
    locksIn(made.text)
      .filter((before) => !once.test(before))
      .map((before) => `${called(made)}: … ${before.slice(-60)} (… FOR …)`),
  );
  assert.deepEqual(errors, []);
});
