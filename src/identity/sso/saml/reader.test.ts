import assert from 'node:assert/strict';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import { cpuTimeOf } from '../../../../test/cpu-time.ts';
import { newProviderKey, type ProviderKey, signedResponse, validParts } from '../../../../test/saml-provider.ts';
import { openSamlReader, type SamlReader } from './reader.ts';
import { readResponse } from './response.ts';
import { RejectedXml, xmlBounds } from './xml.ts';

const [recipient, audience, issuer] = ['https://service.example/acs', 'https://service.example/metadata', 'https://provider.example/'];
let key: ProviderKey;
let largest: Buffer;
let half: Buffer;
let reader: SamlReader;
const expected = () => ({
  certificates: [key.certificate],
  issuer,
  audience,
  recipient,
  nameIdFormat: 'persistent' as const,
  now: Date.now(),
});

before(async () => {
  key = await newProviderKey();
  reader = openSamlReader();
  // As many elements as the limit allows, filled up to the limit of bytes.
  largest = responseOf(xmlBounds.elements - 40, xmlBounds.bytes - 100);
  half = responseOf(xmlBounds.elements / 2, xmlBounds.bytes / 2);
});
after(() => reader.close());

/** Returns a signed response with some groups, the last one filled up to a number of bytes. */
function responseOf(elements: number, bytes: number): Buffer {
  const groups = Array.from({ length: elements }, (_, index) => `group ${index}`);
  const parts = validParts({ issuer, audience, recipient, request: '_request', attributes: { groups } });
  const room = bytes - Buffer.byteLength(signedResponse(parts, { key }));
  return Buffer.from(signedResponse({ ...parts, attributes: { groups: [...groups, 'x'.repeat(room)] } }, { key }));
}

/** Returns the least CPU time of some verifications. The first ones include the compilation of the code. */
async function leastTime(response: Buffer): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 10; n += 1) times.push(await cpuTimeOf(() => readResponse(response, expected())));
  return Math.min(...times);
}

describe('a signed response of almost 128 KiB and 2 000 elements', () => {
  test('is verified in CPU time that grows like its size', async () => {
    assert.ok(largest.length > xmlBounds.bytes - 1_024);
    const [ofHalf, ofAll] = [await leastTime(half), await leastTime(largest)];
    assert.ok(ofAll < 3 * ofHalf, `${ofHalf} ms for half of it, ${ofAll} ms`);
  });

  test('is verified in another thread, so that the event loop stays free', async () => {
    await reader.response('team', largest, expected());
    // Other work of the machine only adds CPU time, so a later measurement may be the true one.
    let leastMs = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 5 && leastMs >= 20; attempt += 1) {
      const start = process.threadCpuUsage();
      const { subject } = await reader.response('team', largest, expected());
      const { user, system } = process.threadCpuUsage(start);
      assert.equal(subject, 'ada');
      leastMs = Math.min(leastMs, (user + system) / 1_000);
    }
    assert.ok(leastMs < 20, `${leastMs} ms`);
  });
});

test('a rejected document has its reason, and the thread reads the next one', async () => {
  await assert.rejects(reader.response('team', Buffer.from('<x/>'), expected()), { reason: 'not_a_response' });
  await assert.rejects(reader.metadata('team', Buffer.from('<x/>'), Date.now()), RejectedXml);
  assert.equal((await reader.response('team', largest, expected())).subject, 'ada');
});
