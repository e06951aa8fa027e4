import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from './report.ts';

const report = (groups: readonly (readonly string[])[], type = 'message/delivery-status', end = '\n') =>
  Buffer.from(
    [
      'Content-Type: multipart/report; boundary=b',
      '',
      '--b',
      `Content-Type: ${type}`,
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      ...groups.flatMap((group) => [...group, '']),
      '--b--',
      '',
    ].join(end),
  );

test('the failed recipient of several is read, with any line ends and continued lines', async () => {
  const groups = [
    ['Final-Recipient: rfc822; a@acme.example', 'ACTION: delivered', 'Status: 2.0.0'],
    ['Final-Recipient: rfc822; b@acme.example', 'action: Failed', 'STATUS : 5.2.1 (disabled)', 'Diagnostic-Code: smtp;550', '\tdisabled'],
  ];
  for (const end of ['\n', '\r\n'])
    assert.deepEqual(await readReport(report(groups, undefined, end)), { status: '5.2.1', diagnostic: '550 disabled' });
});

test('a report for an internationalized address is read (RFC 6533)', async () => {
  const bytes = report([['Final-Recipient: utf-8; bö@acme.example', 'Action: failed', 'Status: 5.1.1']], 'message/global-delivery-status');
  assert.deepEqual(await readReport(bytes), { status: '5.1.1', diagnostic: '' });
});

test('a mail that encloses a report, such as a forwarded one, is no report', async () => {
  const inner = report([['Final-Recipient: rfc822; a@acme.example', 'Action: failed', 'Status: 5.1.1']]).toString();
  const outer = `Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: message/rfc822\nContent-Disposition: attachment\n\n${inner}\n--o--\n`;
  assert.equal(await readReport(Buffer.from(outer)), undefined);
});
