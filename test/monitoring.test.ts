import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { goTool } from './go-tools.ts';
import { alertRules, panels } from './monitoring.ts';

/* The alert rules and the dashboard of deploy/ individually. scraped-metrics.test.ts compares them with a running service. */

const promtool = goTool('promtool', process.env.PROMTOOL_PATH);
const skip = promtool === undefined && 'promtool not found: install prometheus (Debian), or set PROMTOOL_PATH';

type RuleTest = { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] };
const ruleTests: RuleTest[] = parse(readFileSync('test/fixtures/alerts.yaml', 'utf8')).tests;

/** Runs promtool. Returns its output if it fails. */
function failureOf(...args: string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { encoding: 'utf8' });
  return status === 0 ? undefined : `${stdout}\n${stderr}`;
}

test('promtool accepts the alert rules and the expressions of the dashboard', { skip }, () => {
  assert.equal(failureOf('check', 'rules', 'deploy/alerts.yaml'), undefined);
  const folder = mkdtempSync(join(tmpdir(), 'chancery-rules-'));
  try {
    const asRules = panels.flatMap(({ id, targets }) =>
      targets.map(({ expr }, at) => ({ record: `panel:${id}:${at}`, expr: expr.replaceAll('$__rate_interval', '5m') })),
    );
    writeFileSync(join(folder, 'panels.yaml'), JSON.stringify({ groups: [{ name: 'panels', rules: asRules }] }));
    assert.equal(failureOf('check', 'rules', join(folder, 'panels.yaml')), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the unit tests of the alert rules pass', { skip }, () => {
  assert.equal(failureOf('test', 'rules', 'test/fixtures/alerts.yaml'), undefined);
});

test('each alert has a unit test that triggers it and one that does not, a severity and advice', () => {
  const cases = ruleTests.flatMap(({ alert_rule_test: own }) => own);
  for (const { alert, labels, annotations } of alertRules) {
    const own = cases.filter(({ alertname }) => alertname === alert);
    assert.ok(own.some(({ exp_alerts: expected }) => expected.length > 0) && own.some(({ exp_alerts: none }) => none.length === 0), alert);
    assert.ok(['page', 'ticket'].includes(labels.severity) && annotations.summary && annotations.description, alert);
  }
});

test('the panels of the dashboard have unique identifiers and do not overlap', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length);
  assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24));
});
