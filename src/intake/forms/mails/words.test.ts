import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberLanguages } from '../../../platform/mail/compose.ts';
import { taskFormMail } from '../task-forms/words.ts';
import { failuresMail, newsMail, templateMail } from './words.ts';

const form = { id: '01999999-0000-7000-8000-000000000000', title: 'Intake\nform' };
const rows = [{ kind: 'workflow', code: 'template_gone', submissions: 3 }];
const kinds = ['workflow', 'document'] as const;
const changes = ['changed', 'deleted'] as const;

/** The mails to authors of forms, each with the texts that it must contain. */
const mailsIn = (locale: string) => [
  { ...newsMail(locale, { ...form, more: 1, all: 7 }), has: ['Intake form', '7'] },
  { ...newsMail(locale, { ...form, more: 4, all: 7 }), has: ['Intake form', '4', '7'] },
  { ...failuresMail(locale, { ...form, rows }), has: ['Intake form', 'workflow: template_gone', '3', '`failed`'] },
  ...kinds.flatMap((kind) =>
    changes.map((change) => ({
      ...templateMail(locale, { ...form, kind, change, template: 'Two steps' }),
      has: ['Intake form', 'Two steps'],
    })),
  ),
  { ...taskFormMail(locale, { ...form, url: 'https://c.example/f' }, { name: 'Acme' }), has: ['Intake form', 'https://c.example/f'] },
];

test('each mail to an author contains its data in each language of members, and differs between the languages', () => {
  for (const [at, { has }] of mailsIn('en').entries()) {
    const all = memberLanguages.flatMap((language) => mailsIn(language)[at] ?? []);
    for (const { subject, text } of all) {
      for (const one of has) assert.ok(text.includes(one), `${one}: ${text}`);
      assert.ok(subject.includes('Intake form'), subject);
    }
    assert.equal(new Set(all.map(({ subject }) => subject)).size, memberLanguages.length);
    assert.equal(new Set(all.map(({ text }) => text.split('\n')[0])).size, memberLanguages.length);
  }
});

test('the mails of each template and change differ', () => {
  for (const language of memberLanguages) {
    const texts = mailsIn(language).map(({ text }) => text);
    assert.equal(new Set(texts).size, texts.length, language);
  }
});

test('an Arabic mail is written from right to left', () => {
  for (const { html } of mailsIn('ar')) assert.match(html, /lang="ar" dir="rtl"/);
});
