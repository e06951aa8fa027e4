import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareServer } from '../../../../test/bare-server.ts';
import { readForm, acceptForms } from './sent-form.ts';

test('the number of fields of a form is limited, also for very short fields', async () => {
  const app = bareServer();
  app.register(async (pages) => {
    await acceptForms(pages, 1_000);
    pages.post('/', { config: { access: { kind: 'public' } } }, async (request) => ({
      fields: (await readForm(request, async () => undefined)).length,
    }));
  });
  const send = async (fields: number) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/', headers, payload: Array(fields).fill('a').join('&') });
    const { fields: read, code } = JSON.parse(body) as { fields?: number; code?: string };
    return [statusCode, read ?? code];
  };
  assert.deepEqual(await send(4_000), [200, 4_000]);
  assert.deepEqual(await send(4_001), [413, 'payload_too_large']);
  await app.close();
});
