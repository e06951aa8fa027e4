import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { checkFields, type Field } from '#fields';
import { description } from './description.ts';

const ajv = addFormats.default(new Ajv.default({ strict: false }));
const fits = ajv.compile(JSON.parse(readFileSync('docs/reference/generated/interface-definition.schema.json', 'utf8')));

const questions = [
  { id: 'kind', type: 'select', label: 'Kind', options: [{ id: 'a' }, { id: 'b' }] },
  { id: 'age', type: 'integer', label: 'Age' },
];
const definition = (members: object) => ({ title: 'Form', type: 'form', fields: questions, ...members });

test('the published schema accepts the definitions that the service accepts', () => {
  for (const members of [
    {},
    { title: { en: 'Form', de: 'Formular' }, publicSettings: { locale: 'en', locales: ['en', 'de'] } },
    { type: 'scheduling', calendar: { timeZone: 'Europe/Berlin', durationMin: 30, weekly: { mon: [['09:00', '17:00']] } } },
    { config: { bindsRegistryTypeId: '01999999-0000-7000-8000-0000000000a1', bindsRegistryFields: { name: 'who' } } },
  ])
    assert.ok(fits(definition(members)), ajv.errorsText(fits.errors));
  assert.ok(fits(description.operations.createInterface?.body), ajv.errorsText(fits.errors));
});

test('the published schema rejects definitions with an invalid shape', () => {
  for (const members of [
    { type: 'survey' },
    { title: 7 },
    { fields: [{ id: '1st', type: 'text' }] },
    { fields: [{ id: 'first', type: 'essay' }] },
    { calendar: { timeZone: 'Europe/Berlin' } },
    { calendar: { timeZone: 'Europe/Berlin', durationMin: 30, opening: [] } },
    { config: { notify: ['somebody'] } },
    { publicSettings: { redirectUrl: 'http://example.org' } },
  ])
    assert.ok(!fits(definition(members)), JSON.stringify(members));
});

test('a condition matches the published schema if and only if the service can parse it', async () => {
  const kind = { field: 'kind', eq: 'a' };
  const conditions: unknown[] = [
    kind,
    { field: 'kind', ne: 'b' },
    { field: 'age', gt: 17 },
    { field: 'age', lt: 65 },
    { field: 'kind', in: ['a', 'b'] },
    { field: 'age', empty: false },
    { all: [kind, { not: { any: [kind] } }] },
    { all: [] },
    { all: kind },
    { not: [kind] },
    { any: Array.from({ length: 101 }, () => kind) },
    { field: 'kind' },
    { eq: 'a' },
    { field: 'kind', eq: 'a', ne: 'b' },
    { field: 'kind', eq: 'a', all: [kind] },
    { field: 'kind', like: 'a' },
    { field: 'age', empty: 'yes' },
    { field: 'kind', in: [] },
    { field: 'kind', in: 'a' },
    { field: 7, eq: 'a' },
    { field: 'kind', eq: { value: 'a' } },
    { all: [kind], any: [kind] },
    'kind',
    [],
    {},
  ];
  for (const visibleIf of conditions) {
    const fields = [...questions, { id: 'more', type: 'text', label: 'More', visibleIf }];
    const read = (await checkFields(fields as Field[], { locales: ['en'], defaultLocale: 'en' }, 'team')).errors.length === 0;
    assert.equal(fits(definition({ fields })), read, JSON.stringify(visibleIf));
  }
});
