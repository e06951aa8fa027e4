import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newBackupCodes, readBackupCode } from './backup-codes.ts';
import { matchTotp, newTotpSecret, readTotpCode, totpAt, totpStep, totpUri } from './totp.ts';

test('the codes are those of RFC 6238, appendix B, cut to six digits', () => {
  const secret = Buffer.from('12345678901234567890');
  const vectors: [number, string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of vectors) assert.equal(totpAt(secret, totpStep(new Date(seconds * 1000))), code);
});

test('a code is accepted one step early and late, and not two steps away', () => {
  const secret = newTotpSecret();
  const now = new Date('2026-11-21T12:00:10Z');
  const step = totpStep(now);
  for (const away of [-1, 0, 1]) assert.equal(matchTotp(secret, totpAt(secret, step + away), now), step + away);
  for (const away of [-2, 2]) assert.equal(matchTotp(secret, totpAt(secret, step + away), now), undefined);
});

test('a code is six ASCII digits, without spaces', () => {
  assert.equal(readTotpCode('123 456'), '123456');
  for (const text of ['12345', '1234567', '1e5000', '１２３４５６', '١٢٣٤٥٦', '', '-12345', '12345\u00a06'])
    assert.equal(readTotpCode(text), undefined, text);
});

test('the URI names issuer and account once each, and has the secret in Base32', () => {
  const uri = new URL(totpUri('Acme: Legal', 'a:da@example.org', Buffer.from('12345678901234567890')));
  assert.equal(uri.protocol, 'otpauth:');
  assert.equal(decodeURIComponent(uri.pathname), '/Acme Legal:ada@example.org');
  assert.match(uri.href, /secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Acme%20Legal&algorithm=SHA1&digits=6&period=30$/);
});

test('each code is accepted at its own time, for any secret and time', () => {
  const anyTime = fc.date({ min: new Date(60_000), max: new Date('2200-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(anyTime, fc.uint8Array({ minLength: 20, maxLength: 20 }), (at, bytes) => {
      const secret = Buffer.from(bytes);
      const code = totpAt(secret, totpStep(at));
      assert.match(code, /^\d{6}$/);
      const step = matchTotp(secret, code, at) ?? Number.NaN;
      assert.ok(step === totpStep(at) || totpAt(secret, step) === code);
    }),
  );
});

test('ten backup codes are read back in any case and format, each in its slot', () => {
  const codes = newBackupCodes();
  assert.equal(new Set(codes).size, 10);
  for (const [slot, code] of codes.entries()) {
    for (const spelling of [code, code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `])
      assert.deepEqual(readBackupCode(spelling), { slot, text: code.replaceAll('-', '') });
  }
  for (const text of ['', '123456', `${codes[0]}0`, 'zzzz-zzzz-zzzz', 'u000-0000-0000'])
    assert.equal(readBackupCode(text), undefined, text);
});
