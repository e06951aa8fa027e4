import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { anyText } from '../../../../test/arbitraries.ts';
import fc from 'fast-check';
import { type Chancery, sharedChancery, type TestTeam } from '../../../../test/harness.ts';
import { withDependents } from '../steps.ts';
import { arrowsOf, type Graph, inColumns, type Layout } from './graph.ts';
import { openLayouts } from './layouts.ts';
import { linesOf, xmlText } from './drawing.ts';

type Step = { id: string; depends_on: string[]; status: 'pending' };

/** Graphs without cycles, with their steps in any order. */
const graphs = fc
  .array(fc.array(fc.nat(40), { maxLength: 8 }), { minLength: 1, maxLength: 40 })
  .map((steps) =>
    steps.map((earlier, at): Step => ({ id: `s${at}`, depends_on: at === 0 ? [] : earlier.map((n) => `s${n % at}`), status: 'pending' })),
  )
  .chain((steps) => fc.shuffledSubarray(steps, { minLength: steps.length, maxLength: steps.length }));

const boxes = (many: number) => Array.from({ length: many }, () => ({ width: 200, height: 80 }));

/** Fails if two boxes touch, a box is outside, or an arrow does not connect its boxes. */
function checkLayout({ boxes: sizes, arrows }: Graph, layout: Layout): void {
  for (const [at, { x, y }] of layout.boxes.entries()) {
    const { width = 0, height = 0 } = sizes[at] ?? {};
    assert.ok(
      x - width / 2 >= 0 && y - height / 2 >= 0 && x + width / 2 <= layout.width && y + height / 2 <= layout.height,
      `box ${at} lies outside`,
    );
    for (const other of layout.boxes.slice(at + 1))
      assert.ok(Math.abs(other.x - x) >= width || Math.abs(other.y - y) >= height, `box ${at} touches another`);
  }
  for (const [at, [from, to]] of arrows.entries()) {
    const points = layout.arrows[at] ?? [];
    for (const [end, box] of [
      [points[0], from],
      [points.at(-1), to],
    ] as const) {
      const { x = 0, y = 0 } = layout.boxes[box] ?? {};
      assert.ok(
        Math.abs((end?.x ?? Infinity) - x) <= 101 && Math.abs((end?.y ?? Infinity) - y) <= 41,
        `arrow ${at} does not end at its box`,
      );
    }
    assert.ok((layout.boxes[from]?.x ?? 0) < (layout.boxes[to]?.x ?? 0), 'arrows point to the right');
  }
}

describe('the arrows of a workflow', () => {
  test('represent all dependencies, without implied ones', () => {
    fc.assert(
      fc.property(graphs, (steps) => {
        const arrows = arrowsOf(steps);
        const drawn = steps.map(({ id, status }, to) => ({
          id,
          status,
          depends_on: arrows.filter(([, end]) => end === to).map(([from]) => steps[from]?.id ?? ''),
        }));
        for (const { id } of steps) assert.deepEqual(withDependents(drawn, id), withDependents(steps, id));
        for (const step of drawn)
          for (const from of step.depends_on) {
            const without = drawn.map((one) => (one === step ? { ...one, depends_on: one.depends_on.filter((id) => id !== from) } : one));
            assert.ok(!withDependents(without, from).has(step.id), `${from} leads to ${step.id} through other steps too`);
          }
      }),
    );
  });

  test('connect boxes in columns that do not touch', () => {
    fc.assert(
      fc.property(graphs, (steps) => {
        const graph = { boxes: boxes(steps.length), arrows: arrowsOf(steps) };
        checkLayout(graph, inColumns(graph));
      }),
    );
  });
});

describe('layouts', () => {
  const both = (many: number): Graph => ({
    boxes: boxes(2 * many),
    arrows: Array.from({ length: many * many }, (_, n): [number, number] => [Math.floor(n / many), many + (n % many)]),
  });

  test('are computed in layers, or in columns after a timeout; later layouts are not affected', async () => {
    const small: Graph = {
      boxes: boxes(5),
      arrows: [
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 3],
        [3, 4],
      ],
    };
    const layouts = openLayouts({ makeMs: 20_000, waitMs: 20_000 });
    const layered = await layouts.of('one', small);
    checkLayout(small, layered);
    assert.ok(layered.boxes[0]?.y === layered.boxes[4]?.y, 'columns would place them differently');
    assert.notDeepEqual(layered, inColumns(small));
    await layouts.close();

    // The largest workflow: each of 100 steps depends on each of 100 others.
    const quick = openLayouts({ makeMs: 300, waitMs: 60_000 });
    const large = await quick.of('one', both(100));
    assert.deepEqual(large, inColumns(both(100)));
    assert.deepEqual(await quick.of('one', both(100)), large);
    await quick.close();

    const impatient = openLayouts({ makeMs: 3_000, waitMs: 10 });
    const [, waited] = await Promise.all([impatient.of('one', both(99)), impatient.of('one', both(60))]);
    assert.deepEqual(waited, inColumns(both(60)));
    await impatient.close();
  });

  test('of teams are computed in turns, not in the order of their requests', async () => {
    const layouts = openLayouts({ makeMs: 60, waitMs: 60_000 });
    const ended: string[] = [];
    await Promise.all([
      ...Array.from({ length: 4 }, (_, n) => layouts.of('many', both(80 + n)).then(() => ended.push('many'))),
      layouts.of('few', both(3)).then(() => ended.push('few')),
    ]);
    assert.ok(ended.indexOf('few') <= 2, String(ended));
    await layouts.close();
  });
});

test('every name becomes valid text inside its box', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.string()), (name) => {
      const text = xmlText(name);
      assert.ok(!/[<>"'\u202E]|&(?!(amp|lt|gt|quot|#39);)/u.test(text) && text.isWellFormed());
      assert.ok(!/\p{Cc}/u.test(text.replaceAll(/[\t\n\r\u007F-\u009F]/g, '')));
      const lines = linesOf(name);
      assert.ok(lines.length <= 2);
      const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
      for (const line of lines) assert.ok([...graphemes.segment(line)].length <= 23, line);
    }),
  );
  assert.deepEqual(linesOf('Review'), ['Review']);
  assert.deepEqual(linesOf('Ask the board to agree to the terms of the lease'), ['Ask the board to', 'agree to the terms o…']);
});

describe('the diagram of a workflow', () => {
  let chancery: Chancery;
  let team: TestTeam;
  before(async () => {
    chancery = await sharedChancery();
    team = await chancery.team();
  });

  test('shows each step with its state to users who see the workflow, is sent once while unchanged, and runs no scripts', async () => {
    const { token } = team.owner;
    const made = await chancery.call('POST', '/api/v1/workflows/', {
      token,
      body: {
        documentId: 'DMS-7',
        name: 'NDA <b onload=alert(1)> & more',
        steps: [
          { id: 'a', type: 'task', name: '"><b onclick=alert(2)>' },
          { id: 'b', type: 'task', name: 'Sign', dependsOn: ['a'] },
          { id: 'c', type: 'task', dependsOn: ['a', 'b'] },
        ],
      },
    });
    assert.equal(made.status, 201, made.text);
    const picture = (headers = {}, by = token) =>
      chancery.call('GET', `/api/v1/workflows/${made.body.id}/diagram.svg`, { token: by, headers });
    const draft = await picture();
    assert.deepEqual([draft.status, draft.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
    assert.equal(draft.headers.get('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    assert.ok(!draft.text.includes('<b ') && draft.text.includes('NDA &lt;b onload=alert(1)&gt; &amp; more'));
    assert.deepEqual([...draft.text.matchAll(/marker-end/g)].length, 2, 'implied dependencies are not drawn');
    assert.deepEqual([...draft.text.matchAll(/○ pending/g)].length, 3);
    const etag = draft.headers.get('etag') ?? '';
    assert.equal((await picture({ 'if-none-match': etag })).status, 304);
    const started = await chancery.call('POST', `/api/v1/workflows/${made.body.id}/start`, { token });
    assert.equal(started.status, 200, started.text);
    const active = await picture({ 'if-none-match': etag });
    assert.deepEqual([active.status, [...active.text.matchAll(/▶ active/g)].length], [200, 1]);
    assert.equal((await picture({}, (await chancery.user(team)).token)).status, 404);
  });
});
