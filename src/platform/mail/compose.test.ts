import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeMail, fillMail, mailAddresses, servicePage } from './compose.ts';

const addresses = mailAddresses({ BASE_URL: 'https://chancery.example' });

test('a long subject ends with a complete character', () => {
  const { subject } = composeMail('en', { subject: `${'x'.repeat(199)}😀`, paragraphs: [] });
  assert.equal(subject, 'x'.repeat(199));
});

test('a mail has a button with its URL as text, between the paragraphs and the notes', () => {
  const page = 'https://chancery.example/sign/abc?x=1&y=2';
  const draft = {
    subject: 'Signature',
    paragraphs: ['rob asks: https://elsewhere.example', { label: 'NDA', page: `${page}#2` }],
    notes: ['Bye.'],
  };
  const { html, text } = composeMail('de', { ...draft, button: { label: 'Unterzeichnen', page } }, { name: 'Harbour' });
  const links = [...html.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a\s*>/g)].map(([, href, label]) => [href, label?.trim()]);
  const address = page.replace('&', '&amp;');
  assert.deepEqual(links, [
    ['https://elsewhere.example', 'https://elsewhere.example'],
    [`${address}#2`, 'NDA'],
    [address, 'Unterzeichnen'],
    [address, address],
  ]);
  assert.ok(html.indexOf('Unterzeichnen') < html.indexOf('Bye.') && html.includes('Harbour'));
  const lines = ['Rob asks: https://elsewhere.example', `NDA: ${page}#2`, `Unterzeichnen: ${page}`, 'Bye.', 'Team: Harbour'];
  assert.equal(text, `${lines.join('\n\n')}\n`);
  assert.ok(!composeMail('de', draft).html.includes('inline-block'), 'a mail without a button');
});

const lastParagraph = (html: string) => /<p\s+class="soft line"[^>]*>([^<]*)<\/p>/.exec(html)?.[1]?.trim();

test('a mail ends with the name of its team, without links and markup', () => {
  const composed = composeMail('ja', { subject: 'Code', paragraphs: ['Enter \u0001 here.'] });
  assert.equal(lastParagraph(fillMail(composed, addresses, 'A & B').html), 'チーム: A &amp; B');
  const { text, html } = fillMail(composed, addresses, '<b>evil.com</b>\n\u202e');
  assert.equal(text, 'Enter  here.\n\nチーム: <b>evil. com</b>\n');
  assert.ok(html.includes('&lt;b&gt;evil. com&lt;/b&gt;') && !html.includes('<a '));
});

test('a mail without a team has no line for it', () => {
  const composed = composeMail('en', { subject: 'Code', paragraphs: ['One <', 'Two'] });
  const { text, html } = fillMail(composed, addresses, null);
  assert.equal(text, 'One <\n\nTwo\n');
  assert.ok(html.includes('One &lt;') && lastParagraph(html) === undefined && !html.includes('Team'));
});

test('links to the console lead to this service, or to the address of another console', () => {
  const draft = { subject: 'Booking', paragraphs: ['New.', { label: 'Task', page: servicePage('/app/tasks/7') }] };
  const composed = composeMail('en', { ...draft, button: { label: 'Open', page: servicePage('/app/bookings/1') } });
  const own = fillMail(composed, addresses, 'Harbour');
  const { baseUrl } = addresses;
  assert.equal(own.text, `New.\n\nTask: ${baseUrl}/app/tasks/7\n\nOpen: ${baseUrl}/app/bookings/1\n\nTeam: Harbour\n`);
  const CONSOLE_URL = 'https://console.example/x';
  const filled = fillMail(composed, mailAddresses({ BASE_URL: baseUrl, CONSOLE_URL }), 'Harbour');
  assert.equal(filled.text, `New.\n\nTask: ${CONSOLE_URL}/tasks/7\n\nOpen: ${CONSOLE_URL}/bookings/1\n\nTeam: Harbour\n`);
  assert.ok(filled.html.includes(`href="${CONSOLE_URL}/bookings/1"`) && !filled.html.includes('invalid'));
});
