import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { jobChannel } from '../src/platform/jobs/job.ts';
import { type Chancery, startChancery } from './harness.ts';
import { alertRules, panels } from './monitoring.ts';
import { eventually } from './webhook-receiver.ts';

const expressions = [...alertRules.map(({ expr }) => expr), ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'all', settings: { TEAM_DOCUMENTS: '0' } });
});
after(() => chancery.stop());

/** Returns the label names of each metric in the format of Prometheus; empty for a metric without samples. */
function labelsByMetric(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const one of type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]) found.set(one, new Set());
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) found.get(name)?.add(label);
  return found;
}

test('all metrics and labels of the alerts and the dashboard exist in a scrape', async () => {
  const { owner } = await chancery.team();
  const rejected = await chancery.call('POST', '/api/v1/smartdoc/documents/', { token: owner.token, body: { title: 'Over the quota' } });
  assert.equal(rejected.body.code, 'quota_exceeded');
  // Its data are invalid, so it fails at once. The other job waits, because no node knows its name.
  for (const name of ['file-removal', 'test-unknown'])
    await chancery.pool.query(`INSERT INTO job (team_id, id, name, data, state, due_at) VALUES ($1, $2, $3, '{}', 'ready', now())`, [
      owner.team,
      randomUUIDv7(),
      name,
    ]);
  chancery.database.notify(jobChannel, 'file-removal');
  const scrape = async () => (await chancery.call('GET', '/metrics', { unchecked: true })).text;
  const text = await eventually('the failed job is counted', async () => {
    const now = await scrape();
    const samples = ['jobs_due{name="test-unknown"}', 'jobs_failed{name="file-removal"}', 'job_failures_total{name="file-removal"}'];
    return samples.every((sample) => now.includes(`chancery_${sample} 1`)) ? now : undefined;
  });
  const known = labelsByMetric(text);
  // Prometheus adds `up`, and the labels `job` and `instance`.
  known.set('up', new Set());
  for (const expression of expressions) {
    const metrics = expression.match(/\bup\b|\bchancery_\w+/g) ?? [];
    assert.ok(metrics.length > 0, expression);
    assert.deepEqual(
      metrics.filter((metric) => !known.has(metric)),
      [],
      expression,
    );
    const labels = Array.from(expression.matchAll(/by \(([^)]*)\)|(\w+)(?:=~|!~|!=|=)"/g), ([, by = '', one = '']) => [
      ...by.split(', '),
      one,
    ]);
    const own = new Set(['', 'job', 'instance', ...metrics.flatMap((metric) => [...(known.get(metric) ?? [])])]);
    // The job of discarded items runs once a minute, so its metric has no sample yet.
    if (expression.includes('chancery_job_items_discarded')) own.add('name');
    assert.deepEqual(
      labels.flat().filter((label) => !own.has(label)),
      [],
      expression,
    );
  }
});

test('no metric has a label that Prometheus sets itself', async () => {
  const known = labelsByMetric((await chancery.call('GET', '/metrics', { unchecked: true })).text);
  // Prometheus would rename them to exported_job and exported_instance.
  assert.deepEqual(
    [...known].filter(([, labels]) => labels.has('job') || labels.has('instance')),
    [],
  );
});
