import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isPublishedBody } from '../../src/published.ts';
import { bounceToken, type Chancery, sharedChancery, type TestTeam, type User } from '../harness.ts';
import type { Operation } from '../openapi.ts';
import { seedEverything } from '../seed.ts';
import { staffToken } from '../staff.ts';
import { contract } from './contract.ts';
import { seededPath } from './isolation.ts';
import { exhaustive, sample } from '../tier.ts';
import { named, plausible } from './walk.ts';

let chancery: Chancery;
let team: TestTeam;
let staff: string;
let seeded: Record<string, string>;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  staff = await staffToken(chancery);
  seeded = await seedEverything(chancery, team.owner);
});

/** Operations with a token of their own. */
const tokens: Readonly<Record<string, string>> = { 'POST /api/v1/mail/bounces': bounceToken };
const call = async (operation: Chancery['description']['operations'][number], search: string, body?: unknown, by?: User) => {
  const answer = await chancery.call(operation.method, `${seededPath(seeded, operation.path)}${search}`, {
    token:
      operation.access === 'staff' ? staff : (tokens[named(operation)] ?? (by ?? (await chancery.user(team, { role: 'admin' }))).token),
    unchecked: true,
    ...(body === undefined ? {} : { body }),
  });
  return answer;
};

/** Operations with any parameters: providers add their own, and RFC 6749 §3.2 requires a server to ignore unknown ones. */
const takesAny = new Set([
  'GET /api/v1/security/auth/sso/callback/{connectionId}',
  'POST /api/v1/security/auth/sso/{connectionId}/backchannel-logout',
  'POST /api/v1/security/auth/saml/{id}/acs',
  'POST /oauth/register',
  'POST /oauth/token',
  'POST /oauth/revoke',
  'POST /oauth/introspect',
]);

test('each operation rejects an unknown query parameter and suggests the most similar known one', async () => {
  let nearest = 0;
  for (const operation of sample(chancery.description.operations, 0.1, named)) {
    if (takesAny.has(named(operation))) continue;
    const known = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    const [meant] = known.toSorted((a, b) => b.length - a.length);
    const typo = meant === undefined ? 'fieldz' : `${meant.slice(0, -2)}${meant.slice(-1)}q`;
    const answer = await call(operation, `?${typo}=1`, operation.hasBody ? plausible(operation.body) : undefined);
    const code = answer.body?.code ?? answer.body?.error;
    assert.deepEqual([answer.status, code], [400, 'validation_failed'], `${named(operation)}?${typo}: ${answer.text}`);
    assert.ok(answer.text.includes(typo), named(operation));
    if (meant === undefined || meant.length < 4) continue;
    assert.ok(answer.text.includes(`did you mean \`${meant}\``), `${named(operation)}?${typo}: ${answer.text}`);
    nearest += 1;
  }
  if (exhaustive) assert.ok(nearest > 15, `${nearest}`);
});

const closed = (operation: { body: any }) => {
  const variants = operation.body?.anyOf?.filter((one: any) => one.properties) ?? [operation.body];
  return (
    variants.length > 0 && variants.every((one: any) => one?.properties && one.additionalProperties !== true && !one.patternProperties)
  );
};
const urlOf = (path: string) => path.replaceAll(/\{([^}]+)\}/g, ':$1');

test('an unknown member is rejected; closed bodies of the published contract ignore it and return a warning', async () => {
  const count = { refused: 0, ignored: 0 };
  for (const operation of sample(chancery.description.operations, 0.1, named)) {
    if (!operation.hasBody || operation.form || !closed(operation)) continue;
    const body = { ...plausible(operation.body.anyOf?.find((one: any) => one.properties) ?? operation.body), unheardOf: 'x' };
    const answer = await call(operation, '', body);
    const warning = answer.headers.get('warning') ?? '';
    if (isPublishedBody(operation.method, urlOf(operation.path))) {
      assert.match(warning, /^299 - "Ignored unknown members: unheardOf"$/, `${named(operation)}: ${answer.text}`);
      assert.ok(!answer.text.includes('unheardOf'), named(operation));
      count.ignored += 1;
    } else {
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], `${named(operation)}: ${answer.text}`);
      assert.deepEqual(
        answer.body.errors.map(({ pointer, rule }: any) => [pointer, rule]),
        [['/unheardOf', 'unknown']],
        named(operation),
      );
      count.refused += 1;
    }
  }
  if (exhaustive) assert.ok(count.refused > 20 && count.ignored > 15, JSON.stringify(count));
});

/** Yields the paths of nested objects with a closed schema in a plausible body. */
function* inner(schema: any, way: (string | number)[] = []): Generator<(string | number)[]> {
  for (const one of schema?.anyOf ?? []) yield* inner(one, way);
  if (schema?.type === 'array') yield* inner(schema.items, [...way, 0]);
  if (!schema?.properties || schema.additionalProperties === true) return;
  if (way.length > 0) yield way;
  for (const [name, member] of Object.entries(schema.properties)) yield* inner(member, [...way, name]);
}

/** Form settings accept members that begin with `x-`, so their own validation checks the others. */
const isOfFormConfig = ({ path }: Operation, [member]: readonly (string | number)[]) =>
  path.startsWith('/api/v1/interfaces/') && member === 'config';

test('nested objects of a body reject an unknown member too, or ignore it with a warning', async () => {
  const seen: string[] = [];
  for (const operation of sample(chancery.description.operations, 0.1, named)) {
    if (!operation.hasBody || operation.form || !closed(operation)) continue;
    for (const way of inner(operation.body)) {
      const body = plausible(operation.body.anyOf?.find((one: any) => one.properties) ?? operation.body);
      let parent = body;
      let schema = operation.body;
      for (const part of way) {
        schema = typeof part === 'number' ? schema.items : schema.properties[part];
        parent = parent[part] ??= plausible(schema);
      }
      parent.unheardOf = 'x';
      const answer = await call(operation, '', body);
      const where = `${named(operation)} /${way.join('/')}`;
      seen.push(where);
      if (isPublishedBody(operation.method, urlOf(operation.path))) {
        const warning = answer.headers.get('warning') ?? '';
        assert.ok(warning.includes(`: ${way.join('/')}/unheardOf"`), `${where}: ${warning} ${answer.text}`);
        assert.ok(!answer.text.includes('unheardOf'), where);
      } else {
        assert.deepEqual(
          [answer.status, answer.body.errors?.[0]?.pointer],
          [isOfFormConfig(operation, way) ? 422 : 400, `/${way.join('/')}/unheardOf`],
          `${where}: ${answer.text}`,
        );
      }
    }
  }
  if (exhaustive) assert.ok(seen.length >= 7, seen.join('\n'));
});

test('only closed bodies of the published contract ignore unknown members', () => {
  const described = new Map(chancery.description.operations.map((operation) => [named(operation).replace(/\/$/, ''), operation]));
  for (const { method, path } of contract) {
    if (!['POST', 'PUT', 'PATCH'].includes(method)) continue;
    const operation = described.get(`${method} ${path.replace(/\/$/, '')}`);
    if (!operation?.hasBody) continue;
    const open = ['POST /api/v1/smartdoc/folders', 'PUT /api/v1/smartdoc/folders/{id}'].includes(`${method} ${path.replace(/\/$/, '')}`);
    assert.equal(isPublishedBody(method, urlOf(path)), !open, `${method} ${path}`);
  }
});

test('an open body of the contract stores unknown members', async () => {
  const folder = await chancery.folder(team.owner, { clientNumber: 'C-7' });
  assert.equal(folder.metadata.clientNumber, 'C-7');
});

test('a change without any known member is rejected, also for bodies of the contract', async () => {
  for (const operation of sample(chancery.description.operations, 0.1, named)) {
    if (!['PUT', 'PATCH'].includes(operation.method) || !operation.hasBody || !closed(operation)) continue;
    const answer = await call(operation, '', { unheardOf: 1 });
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], named(operation));
  }
});

test('responses shorten and escape odd or numerous names, and names of the object prototype are unknown', async () => {
  const tasks = (search: string) => chancery.call('GET', `/api/v1/tasks/${search}`, { token: team.owner.token });
  for (const name of ['toString', 'constructor', '__proto__', 'a'.repeat(3_000), '%F0%9F%92%A9', 'x%22%0d%0aSet-Cookie:a=b']) {
    const answer = await tasks(`?${name}=1`);
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], name);
    assert.ok(answer.text.length < 3_000);
  }
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`odd"\r\n${index}é${'y'.repeat(100)}`, 1]));
  const person = await chancery.user(team);
  const answer = await chancery.call('PUT', '/api/v1/security/auth/profile', { token: person.token, body: { firstName: 'Ada', ...many } });
  assert.equal(answer.status, 200, answer.text);
  const warning = answer.headers.get('warning') ?? '';
  assert.ok(warning.length < 1_000 && /^[\x20-\x7e]*$/.test(warning), warning);
});
