import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { startChancery } from '../harness.ts';
import { seedEverything } from '../seed.ts';
import { seededId } from '../suites/isolation.ts';
import { installed, without } from './pinned.ts';
import { linesOf } from './tools.ts';

/** Operations that end the session or the role of the caller, or change the sign-in rules of the team, or never end. */
const excluded = [
  'logout',
  'endSession',
  'deleteIdentity',
  'deleteMemberIdentity',
  'deleteProfile',
  'leaveTeam',
  'transferOwnership',
  'updateTeam',
  'streamAgentRun',
  'streamChanges',
];
/** Calls of each operation. `SCHEMATHESIS_EXAMPLES=40` runs longer. */
const examples = process.env.SCHEMATHESIS_EXAMPLES ?? '2';
const seed = process.env.SCHEMATHESIS_SEED ?? '1';

test('Schemathesis finds no server error and no response against the API description', { skip: without('schemathesis') }, async () => {
  const chancery = await startChancery({ settings: { RATE_LIMIT_PER_MINUTE: '0' } });
  const folder = await mkdtemp(join(tmpdir(), 'chancery-schemathesis-'));
  try {
    const { owner } = await chancery.team();
    const seeded = await seedEverything(chancery, owner);
    const description = (await chancery.call('GET', '/openapi.json', { unchecked: true })).body;
    for (const [path, item] of Object.entries<any>(description.paths))
      for (const operation of Object.values<any>(item))
        for (const parameter of operation.parameters ?? [])
          // Random identifiers name no resource.
          if (parameter.in === 'path' && Object.values(seeded).includes(seededId(seeded, path, parameter.name)))
            parameter.schema = { enum: [seededId(seeded, path, parameter.name)] };
    const [schema, report] = [join(folder, 'openapi.json'), join(folder, 'report.json')];
    await writeFile(schema, JSON.stringify(description));
    const target = ['run', schema, '--url', chancery.url, '--header', `Authorization: Bearer ${owner.token}`];
    const scope = [
      '--phases',
      'fuzzing',
      '--max-examples',
      examples,
      '--seed',
      seed,
      ...excluded.flatMap((id) => ['--exclude-operation-id', id]),
    ];
    const checks = ['--checks', 'not_a_server_error,response_schema_conformance', '--continue-on-failure', '--no-shrink'];
    const rest = ['--suppress-health-check', 'all', '--report-json-path', report, '--warnings', 'off', '--request-timeout', '60'];
    const run = linesOf(join(installed('schemathesis'), 'bin', 'st'), [...target, ...scope, ...checks, ...rest], folder);
    // It exits with 1 if it finds failures, which are in the report.
    const output = await run.then(
      () => '',
      ({ stdout }) => String(stdout),
    );
    const { failures, errors, operations, test_cases: calls } = JSON.parse(await readFile(report, 'utf8'));
    process.stdout.write(`Schemathesis: ${calls.generated} calls of ${operations.tested} operations\n`);
    assert.deepEqual([failures, errors], [[], []], output.slice(output.indexOf('= FAILURES =')));
    assert.ok(
      operations.tested > 500 && calls.generated >= operations.tested * Number(examples) * 0.8,
      JSON.stringify([operations, calls]),
    );
    const me = await chancery.call('GET', '/api/v1/security/auth/profile', { token: owner.token });
    assert.equal(me.status, 200, `the token is not valid at the end: ${me.text}`);
  } finally {
    await chancery.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
