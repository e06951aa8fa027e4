import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';
import type { RuleBody } from './schemas.ts';

/** A rule that is told of: what it says, or nothing of one that was removed, and the day from which that counts. Behind a barrier the folder has no name. */
type RuleNotice = { name: string | undefined; id: string; rule: Partial<RuleBody>; day: Temporal.PlainDate };
type NamedRule = Omit<RuleNotice, 'name'> & { name: string };

const long = (day: Temporal.PlainDate, language: Language) => day.toLocaleString(language, { dateStyle: 'long' });

const does: Record<Language, Record<RuleBody['action'], string> & Record<RuleBody['from'], string>> = {
  en: {
    keep: 'are kept',
    review: 'come up for your review',
    delete: 'go to the bin',
    created: 'after they were made',
    updated: 'after they were last changed',
    expires: 'after they have expired',
  },
  de: {
    keep: 'werden aufbewahrt',
    review: 'werden Ihnen zur Prüfung vorgelegt',
    delete: 'kommen in den Papierkorb',
    created: 'nachdem sie angelegt wurden',
    updated: 'nachdem sie zuletzt geändert wurden',
    expires: 'nachdem sie abgelaufen sind',
  },
};

const drafts: Record<
  Language,
  { unnamed: string; set: (of: NamedRule & { rule: RuleBody }) => MailDraft; removed: (of: NamedRule) => MailDraft }
> = {
  en: {
    unnamed: 'a folder behind an information barrier',
    set: ({ name, id, rule, day }) => ({
      subject: `How long documents in “${name}” are kept was changed`,
      paragraphs: [
        `documents in your folder “${name}” (${id}) ${does.en[rule.action]} ${rule.after} ${does.en[rule.from]}. This takes effect on ${long(day, 'en')}; until then nothing that it covers goes.`,
        'The preview of the rule lists what it comes for, and when. You may change it or remove it.',
      ],
    }),
    removed: ({ name, id, day }) => ({
      subject: `The retention rule of “${name}” was removed`,
      paragraphs: [
        `documents in your folder “${name}” (${id}) are no longer kept by a rule of its own from ${long(day, 'en')} on. Rules of folders above it may come for them then.`,
      ],
    }),
  },
  de: {
    unnamed: 'ein Ordner hinter einer Informationsbarriere',
    set: ({ name, id, rule, day }) => ({
      subject: `Die Aufbewahrung in „${name}“ wurde geändert`,
      paragraphs: [
        `Dokumente in Ihrem Ordner „${name}“ (${id}) ${does.de[rule.action]}: ${rule.after}, ${does.de[rule.from]}. Das gilt ab dem ${long(day, 'de')}; bis dahin geht nichts davon.`,
        'Die Vorschau der Regel nennt, was wann betroffen ist. Sie können die Regel ändern oder entfernen.',
      ],
    }),
    removed: ({ name, id, day }) => ({
      subject: `Die Aufbewahrungsregel von „${name}“ wurde entfernt`,
      paragraphs: [
        `Dokumente in Ihrem Ordner „${name}“ (${id}) werden ab dem ${long(day, 'de')} nicht mehr durch eine eigene Regel aufbewahrt. Regeln darüber liegender Ordner können sie dann betreffen.`,
      ],
    }),
  },
};

const hasAll = (rule: Partial<RuleBody>): rule is RuleBody =>
  rule.action !== undefined && rule.after !== undefined && rule.from !== undefined;

/** Tells the owner of a folder that documents in it may go earlier than before, days ahead. */
export function ruleMail(locale: string, notice: RuleNotice): MailText {
  const language = languageOf(locale);
  const { set, removed, unnamed } = drafts[language];
  const { rule, name = unnamed, ...of } = notice;
  return composeMail(language, hasAll(rule) ? set({ ...of, name, rule }) : removed({ ...notice, name }));
}

const approvalDrafts: Record<Language, (folders: readonly string[], documents: number) => MailDraft> = {
  en: (folders, documents) => ({
    subject: `${documents} documents wait for a confirmation before they go to the bin`,
    paragraphs: [
      `by the retention rules of your team ${documents} documents would go to the bin in one day, which is more than a tenth of all. None of them goes before one of you confirms it, for each of these folders:`,
      ...folders,
      'Where that is not what was meant, change the rule or remove it.',
    ],
  }),
  de: (folders, documents) => ({
    subject: `${documents} Dokumente warten auf eine Bestätigung, bevor sie in den Papierkorb kommen`,
    paragraphs: [
      `nach den Aufbewahrungsregeln Ihres Teams kämen an einem Tag ${documents} Dokumente in den Papierkorb, mehr als ein Zehntel von allen. Keines davon geht, bevor jemand von Ihnen es bestätigt, für jeden dieser Ordner:`,
      ...folders,
      'Wo das nicht gemeint war, ändern oder entfernen Sie die Regel.',
    ],
  }),
};

/** Asks those who run the team whether so much may go at once. The mail has identifiers of folders, because one may be behind a barrier. */
export function confirmationMail(locale: string, folders: readonly string[], documents: number): MailText {
  const language = languageOf(locale);
  return composeMail(language, approvalDrafts[language](folders, documents));
}
