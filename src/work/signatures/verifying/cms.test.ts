import assert from 'node:assert/strict';
import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type AsnType, ObjectIdentifier, OctetString, Set as AsnSet, UTCTime } from 'asn1js';
import fc from 'fast-check';
import { Attribute, ContentInfo, id_ContentType_Data, id_ContentType_SignedData, SignedAndUnsignedAttributes, SignedData } from 'pkijs';
import { makeSigner } from '../../../../test/signed-pdf.ts';
import { inSetOrder, readDer, writeDer } from '../../../platform/crypto/asn1.ts';
import { hashOf } from '../hash.ts';
import type { SealSigner } from '../sealing/pdf-sealer.ts';
import { signDetached } from '../sealing/signed-message.ts';
import { attributeIds, type Checked, checkMessage, NotUnderstood } from './cms.ts';

const content = Buffer.from('a contract');
let folder: string;
let certificate: Buffer;
let key: KeyObject;
let message: Buffer;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-cms-'));
  await makeSigner(folder, 'Olivia');
  certificate = new X509Certificate(await readFile(join(folder, 'Olivia.pem'))).raw;
  key = createPrivateKey(await readFile(join(folder, 'Olivia.key')));
  const signer: SealSigner = {
    certificate,
    chain: [],
    algorithm: 'ecdsa',
    digest: 'sha256',
    sign: async (bytes: Uint8Array) => sign('sha256', bytes, key),
  };
  message = (await signDetached([content], signer)).message();
});
after(() => rm(folder, { recursive: true, force: true }));

const attribute = (type: string, ...values: AsnType[]) => new Attribute({ type, values });
const octets = (bytes: Uint8Array) => new OctetString({ valueHex: new Uint8Array(bytes).buffer });
const digest = () => attribute(attributeIds.messageDigest, octets(hashOf('sha256', [content])));
const kind = () => attribute(attributeIds.contentType, new ObjectIdentifier({ value: id_ContentType_Data }));

/** Returns the message with other attributes, signed again. */
function withAttributes(...given: Attribute[]): Buffer {
  const data = new SignedData({ schema: readDer(ContentInfo, message).content });
  const [signer] = data.signerInfos;
  const attributes = inSetOrder(given);
  assert.ok(signer);
  signer.signedAttrs = new SignedAndUnsignedAttributes({ type: 0, attributes });
  signer.signature = octets(sign('sha256', writeDer(new AsnSet({ value: attributes.map((one) => one.toSchema()) })), key));
  return writeDer(new ContentInfo({ contentType: id_ContentType_SignedData, content: data.toSchema() }));
}

const isGood = ({ about, sound, weak }: Checked) => about && sound && !weak;

test('a message with one value for each attribute is valid', () => {
  assert.ok(isGood(checkMessage(message, [content])));
  assert.ok(isGood(checkMessage(withAttributes(kind(), digest()), [content])));
  assert.ok(!checkMessage(message, [Buffer.from('another contract')]).about);
});

test('a message with a duplicate attribute, two values, or a missing digest or content type is not supported', () => {
  const other = attribute(attributeIds.messageDigest, octets(hashOf('sha256', [Buffer.from('another contract')])));
  const twice = attribute(attributeIds.messageDigest, octets(hashOf('sha256', [content])), octets(Buffer.alloc(32)));
  const at = (year: number) => attribute(attributeIds.signingTime, new UTCTime({ valueDate: new Date(Date.UTC(year, 1)) }));
  const broken = {
    'two digests': [kind(), digest(), other],
    'the same digest twice': [kind(), digest(), digest()],
    'a digest with two values': [kind(), twice],
    'two kinds': [kind(), kind(), digest()],
    'two times': [kind(), digest(), at(2020), at(2021)],
    'no digest': [kind()],
    'no kind': [digest()],
  };
  for (const [what, attributes] of Object.entries(broken))
    assert.throws(() => checkMessage(withAttributes(...attributes), [content]), NotUnderstood, what);
});

test('a changed message is rejected or has the same result as before', () => {
  const { certificate: signer, ...said } = checkMessage(message, [content]);
  fc.assert(
    fc.property(fc.nat(message.length - 1), fc.nat(255), fc.constantFrom(-1, 0, 1), (at, byte, more) => {
      const changed = Buffer.concat([
        message.subarray(0, at),
        Buffer.from([byte].slice(0, 1 + Math.min(more, 0))),
        message.subarray(at + 1 - Math.max(more, 0)),
      ]);
      const checked = (() => {
        try {
          return checkMessage(changed, [content]);
        } catch {
          // OpenSSL reports a certificate with a malformed key.
          return undefined;
        }
      })();
      if (!checked || !isGood(checked)) return;
      const { certificate: by, ...now } = checked;
      assert.deepEqual([now, by.raw], [said, signer.raw]);
    }),
    { numRuns: 400 },
  );
});
