import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allowedIn, leaves, type Operation, type WorkflowStatus, transitions } from './states.ts';
import { allDone, dependencies, graphError, type Node, readySteps, stepsBefore, type StepStatus, withDependents } from './steps.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A graph without cycles: each step depends on some of the previous ones. */
const graph = fc
  .integer({ min: 1, max: ids.length })
  .chain((size) =>
    fc.tuple(...ids.slice(0, size).map((id, index) => fc.subarray(ids.slice(0, index)).map((depends_on) => ({ id, depends_on })))),
  );

test('a graph without cycles has no error, and completing ready steps in any order completes all', () => {
  fc.assert(
    fc.property(graph, fc.array(fc.nat()), (nodes, picks) => {
      assert.equal(graphError(nodes.map(({ id, depends_on }) => ({ id, dependsOn: depends_on }))), undefined);
      let steps: Node[] = nodes.map((node) => ({ ...node, status: 'pending' as StepStatus }));
      for (let turn = 0; !allDone(steps); turn += 1) {
        const ready = readySteps(steps);
        assert.ok(ready.length > 0, 'a step is ready until all are done');
        for (const step of ready) assert.ok(step.depends_on.every((id) => steps.find((other) => other.id === id)?.status === 'completed'));
        const chosen = ready[(picks[turn] ?? 0) % ready.length];
        steps = steps.map((step) => (step.id === chosen?.id ? { ...step, status: 'completed' } : step));
      }
    }),
  );
});

test('a graph with a cycle is rejected', () => {
  fc.assert(
    fc.property(graph, fc.nat(), (nodes, pick) => {
      const at = pick % nodes.length;
      const reached = [
        ...withDependents(
          nodes.map((node) => ({ ...node, status: 'pending' as const })),
          nodes[at]?.id ?? '',
        ),
      ];
      const circular = nodes.map((node, index) => ({
        id: node.id,
        dependsOn: index === at ? [...node.depends_on, reached.at(-1) ?? node.id] : [...node.depends_on],
      }));
      assert.match(graphError(circular) ?? '', /depends on itself/);
    }),
  );
});

test('the error of a cycle names a step of the cycle, not a step that only depends on it', () => {
  const error = graphError([
    { id: 'a', dependsOn: ['b'] },
    { id: 'b', dependsOn: ['c'] },
    { id: 'c', dependsOn: ['b'] },
  ]);
  assert.match(error ?? '', /^The step “[bc]” depends on itself/);
});

test('a step is before another exactly if that one is among its dependents', () => {
  fc.assert(
    fc.property(graph, (nodes) => {
      const steps = nodes.map((node) => ({ ...node, status: 'pending' as const }));
      const before = stepsBefore(steps.toReversed());
      for (const { id } of steps)
        for (const { id: of } of steps)
          assert.equal(before(of).has(id), of !== id && withDependents(steps, id).has(of), `${id} before ${of}`);
    }),
  );
});

test('without any dependency given, steps follow one another', () => {
  assert.deepEqual(dependencies([{ id: 'a' }, { id: 'b' }, { id: 'c' }]), [[], ['a'], ['b']]);
  assert.deepEqual(dependencies([{ id: 'a' }, { id: 'b', dependsOn: [] }]), [[], []]);
});

test('with random operations a finished workflow stays finished, and only allowed operations succeed', () => {
  const finished: WorkflowStatus[] = ['completed', 'rejected', 'cancelled'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Operation>('start', 'pause', 'resume', 'cancel')), (operations) => {
      let status: WorkflowStatus = 'draft';
      for (const operation of operations) {
        const next: WorkflowStatus | 'gone' | undefined = transitions[operation][status];
        assert.equal(next !== undefined, leaves(operation).includes(status));
        assert.equal(next !== undefined, allowedIn(status).includes(operation));
        if (finished.includes(status)) assert.equal(next, undefined);
        if (next !== undefined && next !== 'gone') status = next;
      }
    }),
  );
});
