import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { apiDescription } from '../../scripts/api-description.ts';
import { breakingChanges, comparable } from '../../scripts/breaking-changes.ts';
import { goTool } from '../go-tools.ts';
import { linesOf } from './tools.ts';

const path = goTool('oasdiff', process.env.OASDIFF_PATH);

/** Returns the names of the schemas that a value refers to, also through other schemas. */
function schemasIn(description: any, value: unknown, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/#\/components\/schemas\/([^"/]+)/g)) {
    if (found.has(name)) continue;
    found.add(name);
    schemasIn(description, description.components.schemas[name], found);
  }
  return found;
}

/** Returns the breaking changes that oasdiff finds, and those of them that `scripts/breaking-changes.ts` does not report. */
async function compare(was: any, description: any): Promise<{ found: any[]; missed: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'chancery-oasdiff-'));
  try {
    // The stored description has no components that are equal in all versions, such as examples and headers.
    const is = comparable(description);
    for (const [name, one] of Object.entries({ was, is }))
      await writeFile(join(folder, name), JSON.stringify({ ...one, components: { ...description.components, ...one.components } }));
    const lines = await linesOf(path ?? '', ['breaking', join(folder, 'was'), join(folder, 'is'), '--format', 'json']);
    const changes: any[] = JSON.parse(lines.join('\n') || '[]') ?? [];
    const found = changes.filter(
      ({ id, operationId }) =>
        // Clients accept values that they do not know (docs/reference/versioning.md).
        id !== 'response-property-enum-value-added' &&
        // oasdiff reads an event as a request to the service. More members of an event do not break its receiver.
        !(id === 'new-required-request-property' && operationId?.startsWith('on')),
    );
    const places = breakingChanges(was, is).map(({ place }) => place.split(/[ .]/)[0] ?? '');
    const operations = new Map(
      Object.values<any>({ ...is.paths, ...is.webhooks }).flatMap((item) => Object.values<any>(item).map((one) => [one.operationId, one])),
    );
    const missed = found.filter(({ operationId }) => {
      const schemas = schemasIn(is, operations.get(operationId));
      return !places.some((place) => place === operationId || schemas.has(place));
    });
    return { found, missed: missed.map(({ id, operationId, text }) => `${operationId} ${id}: ${text}`) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test(
  'oasdiff finds no breaking change that the comparison of releases misses',
  {
    skip: path === undefined && 'oasdiff not found: go install github.com/oasdiff/oasdiff@v1.37.0, or set OASDIFF_PATH',
  },
  async () => {
    const description = JSON.parse(apiDescription());
    const released = JSON.parse(await readFile('openapi/released.json', 'utf8'));
    assert.deepEqual((await compare(released, description)).missed, []);

    const changed = structuredClone(description);
    const create = changed.paths['/api/v1/groups/'].post;
    create.parameters = [...(create.parameters ?? []), { in: 'query', name: 'for', required: true, schema: { type: 'string' } }];
    delete changed.paths['/api/v1/groups/{id}'].get;
    delete changed.paths['/api/v1/inbox'].get.responses['200'].content;
    const { found, missed } = await compare(comparable(description), changed);
    assert.deepEqual(missed, []);
    assert.ok(new Set(found.map(({ operationId }) => operationId)).size >= 3, JSON.stringify(found));
  },
);
