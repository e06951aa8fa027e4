import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery } from '../harness.ts';

/** Operations that answer with a list without pages, each with what bounds it. */
const bounded: Record<string, string> = {
  'GET /api/v1/security/auth/passkeys': 'a person has at most 20',
  'GET /api/v1/webhooks/event-types': 'the catalogue of this version',
  'GET /api/v1/webhooks/{id}/deliveries/{deliveryId}/attempts': 'attempts of one delivery, which end',
  'GET /api/v1/team/sso/{id}': 'a connection has at most 50 domains',
  'GET /api/v1/workflows/{id}': 'a workflow has at most 200 steps',
  'GET /api/v1/workflows/templates/{name}': 'a template has at most 200 steps',
  'GET /api/v1/workflows/{id}/access': 'who holds its tasks, and managers',
  'GET /.well-known/jwks.json': 'the keys of the service',
  'GET /.well-known/witness-jwks.json': 'the keys of the service',
  'GET /.well-known/webhook-jwks.json': 'the keys of the service',
  'GET /dev/mail.json': 'the newest 200, in development',
  'GET /api/v1/team/usage': 'one for each quota',
  'GET /api/v1/staff/teams/{id}/quotas': 'one for each quota',
  'GET /api/v1/team/invitations/waiting': 'invitations of one address that wait, which throttles bound',
  'GET /api/v1/smartdoc/folders/{id}/shares': 'one for each member of the team',
  'GET /api/v1/smartdoc/folders/{id}/access': 'one for each member and API client',
  'GET /api/v1/smartdoc/documents/{id}/access': 'one for each member and API client',
  'GET /api/v1/smartdoc/folders/{id}/wall/openings': 'asked for one at a time, and kept while they may be used',
  'GET /api/v1/smartdoc/documents/{id}/versions': 'versions of one document, which count against the storage',
};

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

/** Whether an answer holds a list whose length nothing but its operation bounds. */
function holdsList(schema: any): boolean {
  if (schema?.type === 'array') return true;
  return Object.values(schema?.properties ?? {}).some((member: any) => member?.type === 'array' && member.items?.type === 'object');
}

test('every list comes in pages, or is bounded by what it lists', () => {
  const lists = chancery.description.operations.filter(
    ({ method, responses }) => method === 'GET' && holdsList(responses['200']?.content?.['application/json']?.schema),
  );
  assert.ok(lists.length > 15);
  const open = lists.filter(({ parameters }) => !parameters.some(({ name, schema }) => name === 'limit' && schema.maximum <= 1_000));
  assert.deepEqual(
    open.map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`).filter((name) => !(name in bounded)),
    [],
    'take `limit` and `cursor` (platform/http/page.ts), or say in this file what bounds the list',
  );
});

test('sessions come in pages, each once, the one last used first', async () => {
  const { owner } = await chancery.team();
  await chancery.pool.query(
    `INSERT INTO session (team_id, id, account_id, auth_time, amr, acr, last_used_at, expires_at)
     SELECT $1, gen_random_uuid(), $2, now(), '{pwd}', 'aal1', now() - make_interval(mins => n / 3), now() + interval '1 day' FROM generate_series(1, 40) n`,
    [owner.team, owner.id],
  );
  const seen: string[] = [];
  let path: string | undefined = '/api/v1/security/auth/sessions?limit=7';
  while (path !== undefined) {
    const page = await chancery.call('GET', path, { token: owner.token });
    assert.equal(page.status, 200, page.text);
    assert.ok(page.body.length <= 7);
    seen.push(...page.body.map(({ id }: { id: string }) => id));
    path = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  assert.equal(seen.length, 41);
  assert.equal(new Set(seen).size, 41);
  const whole = await chancery.call('GET', '/api/v1/security/auth/sessions', { token: owner.token });
  assert.deepEqual(
    whole.body.map(({ id }: { id: string }) => id),
    seen,
  );
  for (const cursor of ['x', Buffer.from(JSON.stringify([randomUUIDv7(), 'x'])).toString('base64url')])
    assert.equal((await chancery.call('GET', `/api/v1/security/auth/sessions?cursor=${cursor}`, { token: owner.token })).status, 400);
});
