import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { accessModel } from '../scripts/access-model.ts';
import { can, type Permission, type ResourceType } from '../src/access/can.ts';
import { permissions } from '../src/access/model.ts';
import type { Checker, Tuple } from './fga.ts';

type StoreCheck = { user: string; object: string; context?: { current_time: string }; assertions: Record<string, boolean> };
type Store = { tuples: Tuple[]; tests: { name: string; tuples?: Tuple[]; check: StoreCheck[] }[] };

export const model = accessModel();

/** Declares the store test of the model (`src/access/store.fga.yaml`), in the format of `fga model test`. */
export function passesStoreTest(checker: () => Checker): void {
  const store: Store = parse(readFileSync('src/access/store.fga.yaml', 'utf8'));
  describe('the store test of the access model', () => {
    for (const { name, tuples = [], check } of store.tests) {
      test(name, async () => {
        for (const { user, object, context, assertions } of check) {
          const relations = Object.keys(assertions);
          const at = context && { at: new Date(context.current_time) };
          const answers = await checker()(
            [...store.tuples, ...tuples],
            relations.map((relation) => ({ user, relation, object, ...at })),
          );
          assert.deepEqual(Object.fromEntries(relations.map((relation, n) => [relation, answers[n]])), assertions, `${user} and ${object}`);
        }
      });
    }
  });
}

const roles = ['owner', 'admin', 'member', 'viewer', 'guest', 'auditor'] as const;
const clients = ['unconfined', 'confined'] as const;
/** Returns the relations that a tuple can give directly to a principal of one type, by resource type. */
const directRelations = (type: string, principal: string): string[] => {
  const named = model.type_definitions.find((one) => one.type === type)?.metadata?.relations ?? {};
  return Object.keys(named).filter((relation) =>
    named[relation]?.directly_related_user_types?.some((one) => one.type === principal && !one.relation && !one.wildcard && !one.condition),
  );
};
const parentOf: Partial<Record<ResourceType, 'folder' | 'matter'>> = {
  folder: 'folder',
  document: 'folder',
  form: 'folder',
  template: 'matter',
  registry: 'matter',
  workflow: 'matter',
  task: 'matter',
};
const isAbout: readonly string[] = ['workflow', 'task', 'approval', 'signature_request', 'run', 'batch', 'evidence_pack'];

/** Compares `can` with the results of the checker, for random callers, resources, containers and barriers. */
export async function compareDecisions(checker: Checker, numRuns: number): Promise<void> {
  const world = fc.record({
    type: fc.constantFrom(...(Object.keys(permissions) as ResourceType[])),
    who: fc.constantFrom(...roles, ...clients),
    direct: fc.infiniteStream(fc.boolean()),
    parent: fc.infiniteStream(fc.boolean()),
    about: fc.boolean(),
    barrier: fc.constantFrom('none', 'outside', 'emergency access', 'inside'),
  });
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(world, async ({ type, who, direct, parent, about, barrier }) => {
      const isPerson = (roles as readonly string[]).includes(who);
      const principal = isPerson ? 'user' : 'client';
      const me = `${principal}:me`;
      const some = (stream: Iterator<boolean>, names: string[]) => names.filter(() => stream.next().value === true);
      const given = some(direct, directRelations(type, principal));
      const container = parentOf[type];
      const above = container ? some(parent, directRelations(container, principal)) : [];
      const ofDocument = isAbout.includes(type) && about && isPerson ? ['owner'] : [];
      const tuples: Tuple[] = [{ user: 'team:t', relation: 'team', object: `${type}:x` }];
      for (const relation of given) tuples.push({ user: me, relation, object: `${type}:x` });
      for (const relation of isPerson ? [who] : who === 'unconfined' ? ['writer', 'unconfined'] : ['writer'])
        tuples.push({ user: me, relation, object: 'team:t' });
      if (container) {
        tuples.push(
          { user: 'team:t', relation: 'team', object: `${container}:p` },
          { user: `${container}:p`, relation: 'parent', object: `${type}:x` },
        );
        for (const relation of above) tuples.push({ user: me, relation, object: `${container}:p` });
      }
      if (isAbout.includes(type)) {
        tuples.push(
          { user: 'team:t', relation: 'team', object: 'document:d' },
          { user: 'document:d', relation: 'about', object: `${type}:x` },
        );
        for (const relation of ofDocument) tuples.push({ user: me, relation, object: 'document:d' });
      }
      // The barrier is around the container, around the matter itself, or around the folder of the document.
      const around = container ? `${container}:p` : type === 'matter' ? 'matter:x' : 'folder:f';
      if (around === 'folder:f' && isAbout.includes(type)) tuples.push({ user: 'folder:f', relation: 'parent', object: 'document:d' });
      const isBarred = barrier !== 'none' && (container !== undefined || type === 'matter' || isAbout.includes(type));
      if (isBarred) {
        tuples.push({ user: 'barrier:b', relation: 'barrier', object: around });
        for (const kind of ['user', 'client']) tuples.push({ user: `${kind}:*`, relation: 'everyone', object: 'barrier:b' });
        if (barrier === 'inside' && isPerson) tuples.push({ user: me, relation: 'insider', object: 'barrier:b' });
        if (barrier === 'emergency access' && isPerson)
          tuples.push({
            user: me,
            relation: 'emergency_reader',
            object: 'barrier:b',
            condition: { name: 'not_expired', context: { expires_at: '2100-01-01T00:00:00Z' } },
          });
      }
      const actor = isPerson
        ? ({ type: 'user', id: 'me', role: who } as const)
        : ({ type: 'client', id: 'me', scopes: new Set<string>(), ...(who === 'confined' ? { folderIds: [] } : {}) } as const);
      const outsider = isBarred && !(barrier === 'inside' && isPerson);
      const facts = {
        relations: given,
        from: { parent: above, about: ofDocument },
        outsider,
        excluded: outsider && !(barrier === 'emergency access' && isPerson),
        conflicted: given.includes('conflicted'),
      };
      const named = Object.keys(permissions[type]);
      const answers = await checker(
        tuples,
        named.map((permission) => ({ user: me, relation: `can_${permission}`, object: `${type}:x` })),
      );
      for (const [n, permission] of named.entries()) {
        assert.equal(
          can(actor, type, permission as Permission<typeof type>, facts),
          answers[n],
          `${who} ${permission} ${JSON.stringify(tuples)}`,
        );
        if (answers[n]) allowed += 1;
      }
    }),
    { numRuns },
  );
  assert.ok(allowed > 0);
}
