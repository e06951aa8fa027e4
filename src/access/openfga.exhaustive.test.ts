import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { compareDecisions, model, passesStoreTest } from '../../test/access-model.ts';
import { compareRandomTeams } from '../../test/access-teams.ts';
import { type Checker, interpreter, type Tuple } from '../../test/fga.ts';
import { startOpenfga, withoutOpenfga } from '../../test/openfga.ts';

const principals = ['user:a', 'user:b', 'user:c', 'client:a', 'agent:a'];
/** Three folders and two barriers can be nested. All other types have one object. */
const objectsOf = (type: string): string[] => {
  const ids = { folder: ['1', '2', '3'], barrier: ['1', '2'] }[type] ?? ['1'];
  return ids.map((id) => `${type}:${id}`);
};
const now = new Date('2026-01-01T12:00:00Z');
const expiries = ['2026-01-01T11:59:59Z', '2026-01-01T12:00:00Z', '2026-01-01T12:00:01Z'];

/** Returns all tuples over these objects and principals that the model allows, without folder cycles. */
const allTuples: Tuple[] = model.type_definitions.flatMap(({ type, metadata }) =>
  Object.entries(metadata?.relations ?? {}).flatMap(([relation, { directly_related_user_types: related = [] }]) =>
    objectsOf(type).flatMap((object) =>
      related.flatMap(({ type: of, relation: userset, wildcard, condition }): Tuple[] => {
        const named = principals.filter((one) => one.startsWith(`${of}:`));
        const users = wildcard ? [`${of}:*`] : named.length > 0 ? named : objectsOf(of).map((one) => (userset ? `${one}#${userset}` : one));
        return users
          .filter((user) => of !== type || user < object)
          .flatMap((user) =>
            condition
              ? expiries.map((at) => ({ user, relation, object, condition: { name: condition, context: { expires_at: at } } }))
              : [{ user, relation, object }],
          );
      }),
    ),
  ),
);
const isLink = ({ user }: Tuple) => !/^(user|client|agent):|#/.test(user);
const key = ({ user, relation, object }: Tuple) => `${user} ${relation} ${object}`;
const allChecks = model.type_definitions.flatMap(({ type, relations }) =>
  Object.keys(relations ?? {})
    .filter((relation) => relation.startsWith('can_'))
    .flatMap((relation) => objectsOf(type).flatMap((object) => principals.map((user) => ({ user, relation, object, at: now })))),
);

describe('OpenFGA', { skip: withoutOpenfga }, () => {
  let server: { check: Checker; stop(): Promise<void> };
  before(async () => {
    server = await startOpenfga(model);
  });
  after(() => server.stop());

  passesStoreTest(() => server.check);

  test('decides like `can`', () => compareDecisions(server.check, 500));

  test('returns the checks and lists of random teams', () => compareRandomTeams(server.check, 10));

  test('responds like the interpreter', async () => {
    const links = fc.subarray(allTuples.filter(isLink), { minLength: 20 });
    const grants = fc.uniqueArray(fc.constantFrom(...allTuples.filter((one) => !isLink(one))), {
      selector: key,
      minLength: 10,
      maxLength: 50,
    });
    await fc.assert(
      fc.asyncProperty(links, grants, async (linked, granted) => {
        const tuples = [...linked, ...granted];
        const [expected, answers] = await Promise.all([interpreter(model)(tuples, allChecks), server.check(tuples, allChecks)]);
        const wrong = allChecks.filter((_, n) => answers[n] !== expected[n]);
        assert.deepEqual(wrong, []);
      }),
      { numRuns: 15 },
    );
  });
});
