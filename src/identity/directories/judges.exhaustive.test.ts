import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { test } from 'node:test';
import { withDirectory } from '../../../test/directories.ts';
import { sharedChancery } from '../../../test/harness.ts';

const run = promisify(execFile);
/** A Python environment with scim2-cli and scim-sanity. `.ci/run` installs it. */
const environment = process.env.SCIM_JUDGES ?? join(homedir(), '.cache', 'scim-judges');
const pathOf = (name: string) => join(environment, 'bin', name);
/** The reason to skip a test without the program. */
const without = (name: string) => (existsSync(pathOf(name)) ? false : `${name} is not installed in ${environment}`);
const timeout = 300_000;

/** Runs a program and returns its output, also if it reports errors. */
async function outputOf(name: string, args: string[], environmentOf: Record<string, string> = {}): Promise<string> {
  const options = { timeout, maxBuffer: 16 * 1024 * 1024, env: { ...process.env, ...environmentOf } };
  const { stdout } = await run(pathOf(name), args, options).catch((error: unknown) => error as { stdout?: string });
  return stdout ?? '';
}

/** Runs `work` with a proxy to `origin` that repeats requests after 429, because the checkers send faster than a directory may and do not wait. */
async function throughPatientProxy<T>(origin: string, work: (url: string) => Promise<T>): Promise<T> {
  const forward = async (method: string, path: string, headers: Record<string, string>, body: Buffer): Promise<Response> => {
    const answer = await fetch(`${origin}${path}`, { method, headers, ...(body.length === 0 ? {} : { body: new Uint8Array(body) }) });
    if (answer.status !== 429) return answer;
    await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
    return forward(method, path, headers, body);
  };
  const proxy = createServer(async (request, response) => {
    const { authorization = '', accept = '*/*', 'content-type': type = 'application/scim+json', 'if-match': expected } = request.headers;
    const headers = { authorization, accept, 'content-type': type, ...(expected === undefined ? {} : { 'if-match': expected }) };
    const answer = await forward(request.method ?? 'GET', request.url ?? '/', headers, await buffer(request));
    const names = ['content-type', 'etag', 'location'];
    response.writeHead(
      answer.status,
      Object.fromEntries(names.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : []))),
    );
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    return await work(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  } finally {
    proxy.close();
  }
}

test('scim2-tester finds no error', { skip: without('scim2') }, async () => {
  const chancery = await sharedChancery();
  const world = await withDirectory(chancery, { kind: 'other' });
  const headers = { SCIM_CLI_HEADERS: `Authorization: Bearer ${world.scimToken}` };
  const text = await throughPatientProxy(chancery.url, (url) =>
    outputOf('scim2', ['--url', `${url}/scim/v2`, 'test', '--verbose'], headers),
  );
  const results = text.split(/^(?=(?:SUCCESS|ERROR|CRITICAL|SKIPPED|COMPLIANT|ACCEPTABLE|DEVIATION) )/m);
  assert.deepEqual(
    results.filter((result) => /^(?:ERROR|CRITICAL|DEVIATION) /.test(result)),
    [],
  );
  assert.ok(results.filter((result) => result.startsWith('SUCCESS ')).length > 50, text.slice(-2_000));
});

test('scim-sanity finds two known differences only', { skip: without('scim-sanity') }, async () => {
  const chancery = await sharedChancery();
  const world = await withDirectory(chancery, { kind: 'other' });
  const text = await throughPatientProxy(chancery.url, (url) =>
    outputOf('scim-sanity', ['probe', `${url}/scim/v2`, '--token', world.scimToken, '--i-accept-side-effects', '--json-output']),
  );
  const report = JSON.parse(text) as { summary: { passed: number; failed: number; errors: number }; issues: { title: string }[] };
  // A response of a group can have 20 000 members, so a PATCH returns it on demand (RFC 7644 section 3.5.2 allows both). An unknown member is an error.
  assert.deepEqual(
    report.issues.map(({ title }) => title.slice(0, 40)),
    ['PATCH returns 204 No Content instead of ', 'Group member PATCH rejected — server enf'],
  );
  assert.deepEqual([report.summary.passed, report.summary.failed, report.summary.errors], [25, 3, 0]);
});
