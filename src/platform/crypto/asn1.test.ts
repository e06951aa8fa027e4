import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Integer, OctetString } from 'asn1js';
import fc from 'fast-check';
import { AlgorithmIdentifier, CertID } from 'pkijs';
import { AsnError, inSetOrder, readBer, readDer, writeDer } from './asn1.ts';

const hash = Buffer.alloc(20, 7);
const id = new CertID({
  hashAlgorithm: new AlgorithmIdentifier({ algorithmId: '1.3.14.3.2.26' }),
  issuerNameHash: new OctetString({ valueHex: hash }),
  issuerKeyHash: new OctetString({ valueHex: Buffer.alloc(200, 8) }),
  serialNumber: new Integer({ value: 42 }),
});
const der = writeDer(id);
const hex = der.toString('hex');
const octets = `0414${hash.toString('hex')}`;

test('a value in DER is read and written with the same bytes', () => {
  assert.equal(readDer(CertID, der).serialNumber.valueBlock.valueDec, 42);
  assert.ok(writeDer(readDer(CertID, der)).equals(der));
});

test('a value that is not DER is rejected', () => {
  assert.match(hex, /^3081ed/);
  assert.ok(hex.includes(octets));
  const body = hex.slice(6);
  const broken: Record<string, string> = {
    'an additional byte': `${hex}00`,
    'a missing byte': hex.slice(0, -2),
    'a length with more bytes than necessary': `308200ed${body}`,
    'a part that is longer than its value': `3081ec${body}`,
    'an indefinite length': `3080${body}0000`,
    'a short length in the long form': `3081ee${body.replace(octets, `048114${hash.toString('hex')}`)}`,
    'a string in pieces': `3081ef${body.replace(octets, `2416${octets}`)}`,
    'another type': '020101',
    'no bytes': '',
  };
  for (const [what, bytes] of Object.entries(broken)) assert.throws(() => readDer(CertID, Buffer.from(bytes, 'hex')), AsnError, what);
});

test('a value in BER can have an indefinite length and bytes after it', () => {
  assert.equal(readBer(CertID, Buffer.from(`3080${hex.slice(6)}000000000000`, 'hex')).serialNumber.valueBlock.valueDec, 42);
});

test('a value of too many elements or levels is rejected', () => {
  const many = Buffer.from(`30827530${'020101'.repeat(10_000)}`, 'hex');
  assert.throws(() => readDer(CertID, many), /too many elements/);
  const deep = Buffer.from('3080'.repeat(200) + '0000'.repeat(200), 'hex');
  assert.throws(() => readBer(CertID, deep), /not ASN.1/);
});

test('any bytes give an AsnError or a value with one DER encoding', () => {
  fc.assert(
    fc.property(fc.nat(der.length - 1), fc.nat(255), fc.constantFrom(0, 1), (at, byte, more) => {
      const changed = Buffer.concat([der.subarray(0, at), Buffer.from([byte]), der.subarray(at + 1 - more)]);
      try {
        assert.ok(writeDer(readDer(CertID, changed)).equals(changed));
      } catch (error) {
        if (!(error instanceof AsnError)) throw error;
      }
    }),
    { numRuns: 500 },
  );
});

test('the members of a set are written in the order of their bytes', () => {
  const members = [3, 256, 1].map((value) => new Integer({ value }));
  assert.deepEqual(
    inSetOrder(members).map((one) => writeDer(one).toString('hex')),
    ['020101', '020103', '02020100'],
  );
});
