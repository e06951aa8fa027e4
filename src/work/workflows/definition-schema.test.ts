import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { description } from './description.ts';
import { stepErrors } from './step-config.ts';
import { configSchemas } from './step-schemas.ts';

const ajv = addFormats.default(new Ajv.default({ strict: false }));
const fits = ajv.compile(JSON.parse(readFileSync('docs/reference/generated/workflow-definition.schema.json', 'utf8')));
const id = '01999999-0000-7000-8000-0000000000a1';

test('the published schema of workflows accepts and rejects settings of steps like the service', () => {
  const settings: [string, object][] = [
    ['task', {}],
    ['task', { outcomes: ['filed', 'not needed'], 'x-note': 1 }],
    ['task', { outcomes: ['a/b'] }],
    ['task', { quorum: 2 }],
    ['site-visit', { outcomes: ['ok'] }],
    ['site-visit', { onReject: 'a' }],
    ['approval', { onNewVersion: 'refuse' }],
    ['approval', { onNewVersion: 'panic' }],
    ['approval', { when: { field: 'a', eq: 'completed' }, onMissing: 'begin' }],
    ['approval', { when: { field: 'a', eq: 'completed' }, onMissing: 'perhaps' }],
    ['approval', { when: { field: 'a' } }],
    ['signature', { signers: [{ email: 'ada@acme.example', name: 'Ada' }], inTurn: true }],
    ['signature', { signers: [{ email: 'ada@acme.example', name: 'Ada' }], inTrun: true }],
    ['signature', { signers: [{ email: 'ada@acme.example', name: 'Ada', colour: 'red' }] }],
    ['form', { interfaceId: id }],
    ['form', { interfaceId: 'F-1' }],
    ['acknowledgement', { outcomes: ['ok'] }],
    ['agent', { agentId: 'main', message: 'Look' }],
    ['agent', { agentId: 'main' }],
    ['webhook', { waitForAnswer: true, endpointId: id, timeoutHours: 720 }],
    ['webhook', { waitForAnswer: true, endpointId: id, timeoutHours: 721 }],
    ['notification', { url: 'https://example.org' }],
    ['wait', { hours: 2 }],
    ['wait', { hours: 0 }],
    ['wait', { fortnights: 1 }],
  ];
  for (const [type, config] of settings) {
    const steps = [
      { id: 'a', type: 'task' },
      { id: 'b', type, config },
    ];
    const taken = stepErrors(structuredClone(steps) as never).length === 0;
    assert.equal(
      fits({ documentId: 'DMS-1', name: 'W', steps }),
      taken,
      `${type} ${JSON.stringify(config)} ${ajv.errorsText(fits.errors)}`,
    );
  }
  assert.ok(fits(description.operations.createWorkflow?.body), ajv.errorsText(fits.errors));
});

test('the reference names every setting of every type of step', () => {
  const page = readFileSync('docs/reference/workflow-definition.md', 'utf8');
  for (const [type, { properties }] of Object.entries(configSchemas) as [string, { properties: object }][])
    for (const name of Object.keys(properties))
      assert.ok(page.includes(`\`${name}\``) || page.includes(`config.${name}\``), `${type} ${name}`);
});
