import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { attackFragments, mutated, mutations } from '../../../../test/saml-mutations.ts';
import { assertionXml, newProviderKey, responseXml, signedResponse, signXml, validParts } from '../../../../test/saml-provider.ts';
import { readResponse } from './response.ts';
import { RejectedXml } from './xml.ts';

const [recipient, audience, issuer] = ['https://service.example/acs', 'https://service.example/metadata', 'https://provider.example/'];
const parts = validParts({ issuer, audience, recipient, request: '_request', attributes: { email: 'ada@example.org' } });
let certificate: string;
let signed: Record<'assertion' | 'response' | 'both', string>;
before(async () => {
  const key = await newProviderKey();
  ({ certificate } = key);
  signed = {
    assertion: signedResponse(parts, { key }),
    response: signXml(responseXml(assertionXml(parts), parts), 'Response', { key }),
    both: signXml(signedResponse(parts, { key }), 'Response', { key }),
  };
});

/** `SAML_MUTATION_SECONDS` runs the test for that time. */
const seconds = Number(process.env.SAML_MUTATION_SECONDS ?? 0);
const bounds =
  seconds > 0
    ? { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1_000, markInterruptAsFailure: false }
    : { numRuns: 300 };

describe('a changed response', () => {
  for (const kind of ['assertion', 'response', 'both'] as const)
    test(`is rejected or read as before, if the ${kind === 'both' ? 'assertion and the response are' : `${kind} is`} signed`, () => {
      const read = (xml: string) =>
        readResponse(Buffer.from(xml), {
          certificates: [certificate],
          issuer,
          audience,
          recipient,
          nameIdFormat: 'persistent',
          now: parts.now,
        });
      const original = read(signed[kind]);
      const counts = { read: 0, rejected: 0 };
      fc.assert(
        fc.property(mutations, (changes) => {
          const xml = mutated(signed[kind], changes, attackFragments(parts));
          try {
            assert.deepEqual(read(xml), original);
            counts.read += 1;
          } catch (error) {
            if (!(error instanceof RejectedXml)) throw error;
            counts.rejected += 1;
          }
        }),
        bounds,
      );
      assert.ok(counts.rejected > counts.read);
      if (seconds > 0) process.stderr.write(`${kind}: ${JSON.stringify(counts)}\n`);
    });
});
