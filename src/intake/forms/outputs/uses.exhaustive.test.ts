import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { askingOutputs } from '../../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestResponse, type TestTeam, type User } from '../../../../test/harness.ts';
import { smallTemplate } from '../../../../test/operations/small-template.ts';

const templates = '/api/v1/document-templates';
const flows = '/api/v1/workflows/templates';
const races = 50;
let chancery: Chancery;
let team: TestTeam;
let creator: User;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
});

const { call, ok, create, publish } = askingOutputs(
  () => chancery,
  () => creator,
);

type Draft = { form: string; template: string };
const result = ({ status, body }: TestResponse) => `${status} ${body?.code ?? ''}`.trim();

/** Publishes each form while its template is deleted, and returns the counts of both results. */
async function raced(drafts: readonly Draft[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [n, { form, template }] of drafts.entries()) {
    const publishing = () => publish(form);
    const deleting = () => call('DELETE', template, undefined, team.owner);
    const [published, deleted] =
      n % 2 === 0 ? await Promise.all([publishing(), deleting()]) : (await Promise.all([deleting(), publishing()])).toReversed();
    assert.ok(published && deleted);
    const both = `${result(published)}, ${result(deleted)}`;
    counts[both] = (counts[both] ?? 0) + 1;
  }
  return counts;
}

const possible = new Set(['200, 409 template_in_use', '422 interface_invalid, 204']);
const onlyPossible = (counts: Record<string, number>) =>
  assert.deepEqual(
    Object.keys(counts).filter((both) => !possible.has(both)),
    [],
    JSON.stringify(counts),
  );

const draftOf = async (then: object[], members: object = {}): Promise<string> => {
  const made = await create(then, members);
  assert.equal(made.status, 201, made.text);
  return made.body.id;
};
const newFlow = async (): Promise<string> => {
  const name = `raced-${randomUUIDv7().slice(-10)}`;
  await ok('POST', flows, { name, description: 'A review', steps: [{ id: 'a', type: 'task', assignees: [creator.id] }] }, team.owner);
  return name;
};

test('no form is published with a document template that is deleted at the same time', async () => {
  const drafts: Draft[] = [];
  for (let n = 0; n < races; n += 1) {
    const { id } = await ok('POST', `${templates}/`, smallTemplate(), team.owner);
    await ok('POST', `${templates}/${id}/access`, { userId: creator.id, access: 'read' }, team.owner);
    const form = await draftOf([{ id: 'nda', make: 'document', templateId: id, values: { name: { from: 'company' } } }]);
    drafts.push({ form, template: `${templates}/${id}` });
  }
  onlyPossible(await raced(drafts));
});

test('no form is published with a workflow template that is deleted at the same time', async () => {
  const drafts: Draft[] = [];
  for (let n = 0; n < races; n += 1) {
    const name = await newFlow();
    const form = n % 4 < 2 ? draftOf([{ id: 'flow', make: 'workflow', template: name }]) : draftOf([], { startsTemplate: name });
    drafts.push({ form: await form, template: `${flows}/${name}` });
  }
  onlyPossible(await raced(drafts));
});
