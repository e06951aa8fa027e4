import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { arrowsOf, box, type GraphStep, layoutOf } from '../src/parts/workflow/graph.ts';

/** Steps without cycles, in any order. */
const graphs = fc
  .array(fc.array(fc.nat(30), { maxLength: 6 }), { minLength: 1, maxLength: 30 })
  .map((steps) => steps.map((earlier, at): GraphStep => ({ id: `s${at}`, dependsOn: at === 0 ? [] : earlier.map((n) => `s${n % at}`) })))
  .chain((steps) => fc.shuffledSubarray(steps, { minLength: steps.length, maxLength: steps.length }));

describe('the diagram of a workflow', () => {
  test('has boxes that do not touch, and arrows that lead to the right and cross no box', () => {
    fc.assert(
      fc.property(graphs, (steps) => {
        const { boxes, arrows, width, height } = layoutOf(steps);
        for (const [at, { x, y }] of boxes.entries()) {
          assert.ok(x >= 0 && y >= 0 && x + box.width <= width && y + box.height <= height, 'a box is outside');
          for (const other of boxes.slice(at + 1))
            assert.ok(Math.abs(other.x - x) >= box.width || Math.abs(other.y - y) >= box.height, 'two boxes touch');
        }
        for (const { from, to, points } of arrows) {
          assert.ok((boxes[from]?.x ?? 0) < (boxes[to]?.x ?? 0), 'an arrow leads to the left');
          for (const [at, end] of points.entries()) {
            const start = points[at - 1];
            if (start === undefined || start.y !== end.y) continue;
            const crossed = boxes.some(({ x, y }) => x >= start.x && x + box.width <= end.x && y < end.y && end.y < y + box.height);
            assert.ok(!crossed, 'an arrow crosses a box');
          }
        }
      }),
    );
  });

  test('has an arrow for each dependency that no other one implies', () => {
    const steps = [
      { id: 'c', dependsOn: ['a', 'b'] },
      { id: 'a' },
      { id: 'b', dependsOn: ['a'] },
      { id: 'd', dependsOn: ['a', 'unknown'] },
    ];
    assert.deepEqual(arrowsOf(steps), [
      [2, 0],
      [1, 2],
      [1, 3],
    ]);
  });

  test('places parallel steps one below the other, and what follows them beside their middle', () => {
    const { boxes } = layoutOf([
      { id: 'start' },
      { id: 'left', dependsOn: ['start'] },
      { id: 'right', dependsOn: ['start'] },
      { id: 'end', dependsOn: ['left', 'right'] },
    ]);
    const [start, left, right, end] = boxes;
    assert.ok(left && right && left.x === right.x && left.y < right.y);
    assert.deepEqual([start?.y, end?.y], [(left.y + right.y) / 2, (left.y + right.y) / 2]);
  });
});
