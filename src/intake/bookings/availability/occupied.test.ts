import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { peaks, stepsOf } from './occupied.ts';

test('peaks agrees with a brute-force count of overlapping spans, for any number and order of queries', () => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 1, max: 2_000 }))
    .map(([from, long]) => ({ from, until: from + long }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 1_500, size: 'max' }), fc.array(span, { minLength: 1, maxLength: 2 }), (spans, queried) => {
      const most = peaks(stepsOf(spans));
      for (const { from, until } of queried) {
        const moments = [from, ...spans.flatMap((one) => [one.from, one.until])].filter((at) => at >= from && at < until);
        const counted = [...new Set(moments)].map((at) => spans.filter((one) => one.from <= at && at < one.until).length);
        assert.equal(most({ from, until }), Math.max(0, ...counted));
      }
    }),
    { numRuns: 10 },
  );
});

test('peaks of spans with many overlaps do not visit each overlapping span', () => {
  const spans = Array.from({ length: 100_000 }, (_, at) => ({ from: at, until: at + 10 }));
  const { at, count } = stepsOf(spans);
  let read = 0;
  const counting = new Proxy(at as number[], { get: (of, name) => ((read += 1), Reflect.get(of, name)) });
  const most = peaks({ at: counting, count });
  for (let begin = 0; begin < 100; begin += 1) assert.equal(most({ from: begin, until: begin + 90_000 }), 10);
  assert.ok(read < 100 * 2_000, `${read} times`);
});
