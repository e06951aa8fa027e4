import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { AuditEntry, AuditInclusionProof } from '../../packages/client/api.ts';
import { sharedChancery, type Chancery } from '../../test/harness.ts';
import { registered } from '../../test/people.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { verifyInclusion } from '../src/screens/document/proof.ts';

let entry: AuditEntry;
let proof: AuditInclusionProof;
let keys: string[];
before(async () => {
  const chancery: Chancery = await sharedChancery('all');
  const { token } = await registered(chancery);
  const { body } = await chancery.call('GET', '/api/v1/security/audit', { token });
  [entry] = body.events;
  proof = await eventually('a proof', async () => {
    const answer = await chancery.call('GET', `/api/v1/security/audit/${entry.id}/proof`, { token });
    return answer.status === 200 && answer.body;
  });
  keys = (await chancery.call('GET', '/api/v1/security/audit/checkpoint', { token })).body.verifierKeys;
});

test('an entry of the journal is in the tree that the service signed', async () => {
  assert.deepEqual(await verifyInclusion(entry, proof, keys), { ok: true, treeSize: proof.treeSize, index: proof.index });
});

const zeros = Buffer.alloc(32).toString('base64');
const forgeries: Record<string, [change: () => Promise<unknown>, error: string]> = {
  'another action': [() => verifyInclusion({ ...entry, type: 'document.created' }, proof, keys), 'other_entry'],
  'other data': [() => verifyInclusion({ ...entry, data: { forged: true } }, proof, keys), 'other_entry'],
  'other data in the proof too': [
    () => verifyInclusion({ ...entry, data: { forged: true } }, { ...proof, body: { ...proof.body!, data: { forged: true } } }, keys),
    'body',
  ],
  'another number': [() => verifyInclusion(entry, { ...proof, record: { ...proof.record, number: 9 } as never }, keys), 'leaf'],
  'another path': [() => verifyInclusion(entry, { ...proof, inclusionPath: [zeros, ...proof.inclusionPath.slice(1)] }, keys), 'checkpoint'],
  'a shorter path': [() => verifyInclusion(entry, { ...proof, inclusionPath: proof.inclusionPath.slice(1) }, keys), 'path'],
  'a signature with a changed byte': [
    () => verifyInclusion(entry, { ...proof, checkpoint: proof.checkpoint.replace(/.{8}\n$/, 'AAAAAAA=\n') }, keys),
    'signature',
  ],
  'no key': [() => verifyInclusion(entry, proof, []), 'no_key'],
};
for (const [name, [change, error]] of Object.entries(forgeries))
  test(`a proof with ${name} does not hold`, async () => {
    assert.deepEqual(await change(), { ok: false, error });
  });
