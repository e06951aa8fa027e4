import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyText } from '../../../../../test/arbitraries.ts';
import fc from 'fast-check';
import { everyField } from '../../../../../test/form-pages.ts';
import { resolveFields } from '../../../fields/index.ts';
import { type Entries, readSent, turnOf } from './sent.ts';

const fields = resolveFields(everyField, 'en', 'en');
const read = (entries: Entries) => readSent(fields, entries, 'en', () => 'a-new-key');
const judging = { locale: 'en', team: 'team' };
const first: Entries = [
  ['_step', '1'],
  ['_seen', 'h name email phone country address born matter represented'],
  ['name', 'Ada'],
  ['email', 'ada@example.org'],
  ['born', '1985-12-10'],
  ['represented', 'false'],
];

test('a complete step leads to the next one, and an incomplete one stays with its errors', async () => {
  const on = await turnOf(fields, read([...first, ['matter', 'a'], ['_go', 'on']]), judging);
  assert.deepEqual(on, { to: 'step', step: 2, errors: [] });
  const stays = await turnOf(fields, read([...first, ['_go', 'on']]), judging);
  assert.ok(stays.to === 'step' && stays.step === 1);
  assert.deepEqual(
    stays.errors.map(({ name }) => name),
    ['matter'],
  );
});

test('conditional questions are shown before they are reported as missing', async () => {
  const entries: Entries = [...first, ['matter', 'c'], ['_go', 'on']];
  assert.deepEqual(await turnOf(fields, read(entries), judging), { to: 'step', step: 1, errors: [], more: true });
  const shown = entries.map(([name, text]) => [name, name === '_seen' ? `${text} what` : text] as const);
  const transition = await turnOf(fields, read(shown), judging);
  assert.ok(transition.to === 'step' && transition.more === undefined);
  assert.deepEqual(
    transition.errors.map(({ name }) => name),
    ['what'],
  );
});

test('an error on an earlier step leads back there at the end, and complete answers are sent', async () => {
  const last: Entries = [
    ['_step', '2'],
    ['_seen', fields.map(({ id }) => id).join(' ')],
    ['sign.name', 'Ada'],
    ['agree', 'true'],
    ['_go', 'on'],
  ];
  const back = await turnOf(
    fields,
    read([...first.filter(([name]) => name !== 'email' && !name.startsWith('_')), ['matter', 'a'], ...last]),
    judging,
  );
  assert.ok(back.to === 'step' && back.step === 1);
  assert.deepEqual(await turnOf(fields, read([...first.filter(([name]) => !name.startsWith('_')), ['matter', 'a'], ...last]), judging), {
    to: 'send',
  });
});

test('a removed file is no longer an answer, and the others stay', async () => {
  const ids = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'] as const;
  const sent = read([
    ['papers', ids[0]],
    ['papers', ids[1]],
    [`_name.${ids[1]}`, 'b.pdf'],
    ['_remove', `papers ${ids[0]}`],
  ]);
  assert.deepEqual([sent.press, sent.answers.papers, sent.fileNames.get(ids[1])], [{ kind: 'remove' }, [ids[1]], 'b.pdf']);
});

test('property: any sent values result in a view', async () => {
  const names = fc.oneof(
    fc.constantFrom(
      '_go',
      '_to',
      '_step',
      '_seen',
      '_key',
      '_version',
      '_remove',
      '_start',
      '__proto__',
      ...fields.map(({ id }) => id),
      'sign.name',
    ),
    anyText(),
  );
  const entries = fc.array(fc.tuple(names, fc.oneof(fc.constantFrom('on', 'back', 'search', '1', '2', '-1', 'NaN'), anyText())));
  await fc.assert(
    fc.asyncProperty(entries, async (given) => {
      const sent = read(given);
      const turn = await turnOf(fields, sent, judging);
      assert.ok(turn.to === 'send' || fields.some(({ page = 1 }) => page === turn.step));
      assert.match(sent.key, /^[\w-]{8,}$/);
    }),
  );
});
