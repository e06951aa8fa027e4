import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeMail, fillMail, servicePage } from './compose.ts';

test('a long subject ends with a complete character', () => {
  const { subject } = composeMail('en', { subject: `${'x'.repeat(199)}😀`, paragraphs: [] });
  assert.equal(subject, 'x'.repeat(199));
});

test('a mail has a button to its page, after the paragraph with the URL', () => {
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
  assert.equal(text, `${paragraphs.join('\n\n')}\n\nTeam: Harbour\n`);
  assert.ok(!composeMail('de', { subject: 'Signature', paragraphs }).html.includes('Seite öffnen'), 'only the author names the page');
});

test('a mail ends with the name of its team, without links and markup', () => {
  const composed = composeMail('ja', { subject: 'Code', paragraphs: ['Enter \u0001 here.'] });
  assert.equal(
    fillMail(composed, { baseUrl: 'https://chancery.example' }, 'A & B')
      .html.match(/<p>[^<]*<\/p>/g)
      ?.at(-1),
    '<p>チーム: A &amp; B</p>',
  );
  const { text, html } = fillMail(composed, { baseUrl: 'https://chancery.example' }, '<b>evil.com</b>\n\u202e');
  assert.equal(text, 'Enter  here.\n\nチーム: <b>evil. com</b>\n');
  assert.ok(html.includes('&lt;b&gt;evil. com&lt;/b&gt;') && !html.includes('<a '));
});

test('a mail without a team has no line for it', () => {
  const composed = composeMail('en', { subject: 'Code', paragraphs: ['One <', 'Two'] });
  const { text, html } = fillMail(composed, { baseUrl: 'https://chancery.example' }, null);
  assert.equal(text, 'One <\n\nTwo\n');
  assert.deepEqual(html.match(/<p>[^<]*<\/p>/g), ['<p>One &lt;</p>', '<p>Two</p>']);
});

test('links to the console are written if there is one, and removed otherwise', () => {
  const page = servicePage('/app/tasks/7');
  const draft = { subject: 'Booking', paragraphs: ['New.', `Task: ${page}`], consolePage: '/bookings?peek=1' };
  const composed = composeMail('en', draft);
  const baseUrl = 'https://chancery.example';
  const without = fillMail(composed, { baseUrl }, 'Harbour');
  assert.equal(without.text, `New.\n\nTask: ${baseUrl}/app/tasks/7\n\nTeam: Harbour\n`);
  assert.ok(!without.html.includes('invalid') && !without.html.includes('bookings'));
  assert.deepEqual(without.html.match(/<p>/g)?.length, 3);
  const consoleUrl = 'https://console.example/x';
  const filled = fillMail(composed, { baseUrl, consoleUrl }, 'Harbour');
  assert.equal(filled.text, `New.\n\nTask: ${consoleUrl}/tasks/7\n\n${consoleUrl}/bookings?peek=1\n\nTeam: Harbour\n`);
  assert.ok(filled.html.includes(`href="${consoleUrl}/bookings?peek=1"`) && !filled.html.includes('invalid'));
});
