import assert from 'node:assert/strict';
import type { TestResponse, CallOptions, Chancery } from '../harness.ts';
import type { Operation } from '../openapi.ts';
import type { ExpectedResponse } from './answers.ts';
import { named } from './walk.ts';

/** Members that only the response of the creation shows. */
const once = new Set(['secret', 'clientSecret', 'previousSecretExpiresAt', 'backupCodes']);
/** Types that jobs change: two reads can differ. */
const goesOn = new Set(['WebhookDelivery', 'SignatureRequestInFull', 'SubmissionExport']);

/** The key of a resource in a list. */
const keyOf = (thing: any) => thing.id ?? thing.name ?? thing.number ?? thing.folderId;

/** Finds a resource in the response of a read: the response itself or an item of a list. */
function findIn(shown: any, wanted: any): any {
  if (!Array.isArray(shown) && keyOf(shown) === keyOf(wanted)) return shown;
  const listed = Array.isArray(shown) ? shown : Object.values(shown).flatMap((member) => (Array.isArray(member) ? member : []));
  return listed.find((one: any) => keyOf(one) === keyOf(wanted));
}

/** A request that changed something. */
export type SentRequest = { path: string; options: CallOptions; answer: TestResponse };

/** Returns the address of the resource: from `Location`, or from the path of the request. */
function addressOf({ answer, path }: SentRequest, at: string): string {
  if (at === '`Location`') return answer.headers.get('location') ?? 'no Location';
  const [plain = ''] = path.split('?', 1);
  return at.includes('{') ? plain.split('/').slice(0, at.split('/').length).join('/') : at;
}

async function readAgain(
  chancery: Chancery,
  { answer, options }: SentRequest,
  address: string,
): Promise<{ found: any; read: TestResponse }> {
  // A password change ends the old token, and the response contains a new one.
  const token: string | undefined = answer.body?.accessToken ?? options.token;
  const read = await chancery.call('GET', address, token === undefined ? {} : { token });
  assert.equal(read.status, 200, `GET ${address}: ${read.text}`);
  return { found: findIn(read.body ?? {}, answer.body), read };
}

async function assertThing(
  chancery: Chancery,
  sent: SentRequest,
  { at, type }: Extract<ExpectedResponse, { kind: 'thing' }>,
): Promise<void> {
  const { answer } = sent;
  const address = addressOf(sent, at);
  const { found, read } = await readAgain(chancery, sent, address);
  // A file has no JSON body to compare.
  if (read.body === undefined) return;
  assert.ok(found, `the resource of the response is not at ${address}`);
  const shown = Object.fromEntries(Object.entries(answer.body).filter(([member]) => !once.has(member)));
  if (goesOn.has(type)) return;
  assert.deepEqual(shown, found);
  const [responseTag, tag] = [answer, read].map(({ headers }) => headers.get('etag'));
  if (found === read.body && responseTag !== null && Object.keys(shown).length === Object.keys(answer.body).length)
    assert.equal(responseTag, tag, 'the ETag equals that of a read');
}

/** Throws if the response of an operation differs from the response table in answers.ts. */
export async function assertAnswered(
  chancery: Chancery,
  operation: Operation,
  expected: ExpectedResponse | undefined,
  sent: SentRequest,
): Promise<void> {
  assert.ok(expected, `${named(operation)} returns no resource with a read operation: describe its result in test/suites/answers.ts`);
  const { answer } = sent;
  if (expected.kind === 'nothing') assert.deepEqual([answer.status, answer.text], [204, '']);
  if (expected.kind === 'thing') await assertThing(chancery, sent, expected);
  if (expected.kind !== 'message') return;
  const self = /^<http:\/\/localhost:8080([^>]+)>; rel="self"$/.exec(answer.headers.get('link') ?? '')?.[1];
  assert.equal(self, addressOf(sent, expected.at));
  await readAgain(chancery, sent, self ?? '');
}
