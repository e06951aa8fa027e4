import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { anyText } from '../../../test/arbitraries.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { jsonThing } from './json-page.ts';

test('a list item contains its values as JSON, without null members', async () => {
  const own = await createTestDatabase();
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  const item = async (members: Record<string, string>, whole: Record<string, string>, values: unknown[] = []): Promise<object> => {
    const { rows } = await client.query(`SELECT ${jsonThing(members, whole)} AS item`, values);
    return JSON.parse(rows[0].item);
  };
  try {
    const id = '018f2f6e-7c1a-7000-8000-000000000001';
    const members = {
      nothing: 'NULL::uuid',
      id: `'${id}'::uuid`,
      count: '3::bigint',
      flag: 'false',
      list: "ARRAY['a', NULL]",
      day: "'2026-01-02'::date",
      word: "'word'",
      noText: 'NULL::text',
      noJson: "'null'::jsonb",
      json: `json_build_object('a', 1, 'b', NULL, 'c', json_build_object('d', NULL))`,
      jsonb: `'{"a": {"b": null}, "c": [null]}'::jsonb`,
    };
    assert.deepEqual(await item(members, { data: `'{"a": null}'::jsonb`, noData: 'NULL::jsonb' }), {
      id,
      count: 3,
      flag: false,
      list: ['a', null],
      day: '2026-01-02',
      word: 'word',
      json: { a: 1, c: {} },
      jsonb: { a: {}, c: [null] },
      data: { a: null },
    });
    assert.deepEqual(await item({ nothing: 'NULL::text' }, {}), {});
    await fc.assert(
      // PostgreSQL texts cannot contain NUL.
      fc.asyncProperty(
        anyText().filter((text) => !text.includes('\0')),
        async (text) => assert.deepEqual(await item({ text: '$1::text' }, {}, [text]), { text }),
      ),
      { numRuns: 50 },
    );
  } finally {
    await client.end();
    await own.drop();
  }
});
