import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery } from '../../../../test/harness.ts';
import { publishForm } from '../../../../test/published-forms.ts';
import { countRates } from './rates.ts';

const fields = [{ id: 'name', type: 'text', label: 'Name' }];
let chancery: Chancery;
before(async () => {
  chancery = await startChancery({
    role: 'api',
    settings: { FORM_SUBMITS_PER_ADDRESS: '0', FORM_SUBMITS_PER_MINUTE: '20', CONNECTIONS_PER_ADDRESS: '2000' },
  });
});
after(() => chancery.stop());

const submit = ({ publicToken }: { publicToken: string }) =>
  chancery.call('POST', `/api/v1/interfaces/public/${publicToken}/submit`, { body: { data: { name: 'Ada' } } });
const taken = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length;

test('a form accepts its limit per minute under load, and other teams are not affected', async () => {
  const [{ owner }, others] = [await chancery.team(), await chancery.team()];
  const [own, usual] = [
    await publishForm(chancery, owner, { fields, config: { maxPerMinute: 7 } }),
    await publishForm(chancery, owner, { fields }),
  ];
  const another = await publishForm(chancery, others.owner, { fields });
  const crowd = (form: { publicToken: string }, of: number) => Promise.all(Array.from({ length: of }, () => submit(form)));
  const [first, second, answered, ...reads] = await Promise.all([
    crowd(own, 200),
    crowd(usual, 200),
    crowd(another, 20),
    ...Array.from({ length: 20 }, () => chancery.call('GET', '/api/v1/interfaces/', { token: others.owner.token })),
  ]);
  assert.deepEqual([taken(first), taken(second), taken(answered)], [7, 20, 20]);
  for (const { status } of reads) assert.equal(status, 200);
  for (const { status, body, headers } of [...first, ...second].filter((answer) => answer.status !== 200)) {
    assert.deepEqual([status, body.code], [429, 'rate_limited']);
    assert.match(headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
  }
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM submission WHERE interface_id = $1', [own.id]);
  assert.equal(rows[0].n, 7);
});

test('the limit of a form is between 1 and 600, and visitors cannot see it', async () => {
  const { owner } = await chancery.team();
  for (const maxPerMinute of [0, 601, 1.5, '7']) {
    const body = { title: 'F', type: 'form', config: { maxPerMinute } };
    assert.equal((await chancery.call('POST', '/api/v1/interfaces/', { token: owner.token, body })).status, 400, String(maxPerMinute));
  }
  const { publicToken } = await publishForm(chancery, owner, { fields, config: { maxPerMinute: 600 } });
  const shown = await chancery.call('GET', `/api/v1/interfaces/public/${publicToken}`);
  assert.deepEqual(Object.keys(shown.body.config).toSorted(), ['drafts', 'requireAltcha', 'uploads']);
});

test('further requests over the limit are rejected without counting until the minute ends', () => {
  let at = 0;
  const rates = countRates(() => at);
  const spend = () => rates.spend('form', 2, 'This form accepts', { name: 'token' });
  spend();
  spend();
  rates.refuse('token');
  const refused = { code: 'rate_limited', headers: { 'retry-after': '60' } };
  assert.throws(spend, refused);
  assert.throws(() => rates.refuse('token'), refused);
  rates.refuse('another');
  at = 60_000;
  rates.refuse('token');
  spend();
});
