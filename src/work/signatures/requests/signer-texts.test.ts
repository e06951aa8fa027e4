import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signerMail } from './signer-texts.ts';

const said = { title: 'NDA', by: 'Olga Owner', url: 'https://a.example/sign/x', until: '1 May' };
const requested = (locale: string, team: string) => signerMail(locale, 'requested', { ...said, team }).text;

test('an email to a signer names the requester and the team, and a team with the same name once', () => {
  for (const locale of ['en', 'de', 'ar', 'ja']) {
    assert.match(requested(locale, 'Northwind'), /Northwind/);
    const [first = ''] = requested(locale, 'Olga Owner').split('https://');
    assert.equal(first.split('Olga Owner').length, 2, locale);
  }
  assert.match(requested('de', 'Northwind'), /Olga Owner von Northwind bittet Sie/);
  assert.match(requested('de', 'Olga Owner'), /Olga Owner bittet Sie/);
});
