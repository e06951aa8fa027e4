import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeMail } from './compose.ts';

test('a subject that is too long ends with a whole character', () => {
  const { subject } = composeMail('en', { subject: `${'x'.repeat(199)}😀`, paragraphs: [] });
  assert.equal(subject, 'x'.repeat(199));
});

test('a mail has a button to its page, behind the paragraph that writes the address out', () => {
  const page = 'https://chancery.example/sign/abc?x=1&y=2';
  const paragraphs = ['Rob asks: https://elsewhere.example', `Sign until Friday: ${page}`, 'Bye.'];
  const { html, text } = composeMail('de', { subject: 'Signature', paragraphs, page }, { name: 'Harbour' });
  const links = [...html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a\s*>/g)].map(([, href, label]) => [href, label?.trim()]);
  const escaped = page.replace('&', '&amp;');
  assert.deepEqual(links, [
    ['https://elsewhere.example', 'https://elsewhere.example'],
    [escaped, escaped],
    [escaped, 'Seite öffnen'],
  ]);
  assert.ok(html.indexOf('Seite öffnen') < html.indexOf('Bye.') && html.includes('Harbour'));
  assert.equal(text, `${paragraphs.join('\n\n')}\n`);
  assert.ok(!composeMail('de', { subject: 'Signature', paragraphs }).html.includes('Seite öffnen'), 'only the author names the page');
});
