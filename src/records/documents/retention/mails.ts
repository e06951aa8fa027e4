import { consolePages } from '../../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';
import type { RuleBody } from './schemas.ts';

/**
 * A changed rule for the mail; `rule` is empty after its removal. `day` is the day on which the change takes effect. `name` is undefined for a folder
 * inside a barrier.
 */
type RuleNotice = { name: string | undefined; id: string; rule: Partial<RuleBody>; day: Temporal.PlainDate };
type NamedRule = Omit<RuleNotice, 'name'> & { name: string };

const inWords = (after: string, language: Language) =>
  new Intl.DurationFormat(language, { style: 'long' }).format(Temporal.Duration.from(after));
const long = (day: Temporal.PlainDate, language: Language) => day.toLocaleString(language, { dateStyle: 'long' });

const does: Record<Language, Record<RuleBody['action'], string> & Record<RuleBody['from'], string>> = {
  en: {
    keep: 'are kept',
    review: 'will be given to you for review',
    delete: 'will move to the bin',
    created: 'after their creation',
    updated: 'after their last change',
    expires: 'after their expiry',
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
    set: ({ name, rule, day }) => ({
      subject: `The retention rule of “${name}” changed`,
      paragraphs: [
        `Documents in your folder “${name}” ${does.en[rule.action]} ${inWords(rule.after, 'en')} ${does.en[rule.from]}. The rule takes effect on ${long(day, 'en')}. Until then it deletes no documents.`,
        'The preview of the rule lists the documents and their dates. You can change or remove the rule.',
      ],
    }),
    removed: ({ name, day }) => ({
      subject: `The retention rule of “${name}” was removed`,
      paragraphs: [
        `From ${long(day, 'en')} on, the folder “${name}” has no retention rule of its own. Rules of folders above it can then apply to its documents.`,
      ],
    }),
  },
  de: {
    unnamed: 'ein Ordner hinter einer Informationsbarriere',
    set: ({ name, rule, day }) => ({
      subject: `Die Aufbewahrung in „${name}“ wurde geändert`,
      paragraphs: [
        `Dokumente in Ihrem Ordner „${name}“ ${does.de[rule.action]}: ${inWords(rule.after, 'de')}, ${does.de[rule.from]}. Die Regel gilt ab dem ${long(day, 'de')}. Bis dahin löscht sie keine Dokumente.`,
        'Die Vorschau der Regel nennt die Dokumente und ihre Termine. Sie können die Regel ändern oder entfernen.',
      ],
    }),
    removed: ({ name, day }) => ({
      subject: `Die Aufbewahrungsregel von „${name}“ wurde entfernt`,
      paragraphs: [
        `Ab dem ${long(day, 'de')} hat der Ordner „${name}“ keine eigene Aufbewahrungsregel mehr. Regeln darüber liegender Ordner können dann für seine Dokumente gelten.`,
      ],
    }),
  },
};

const openFolder: Record<Language, string> = { en: 'Open the folder', de: 'Ordner öffnen' };
const openRules: Record<Language, string> = { en: 'Open the retention rules', de: 'Aufbewahrungsregeln öffnen' };

const hasAll = (rule: Partial<RuleBody>): rule is RuleBody =>
  rule.action !== undefined && rule.after !== undefined && rule.from !== undefined;

/** Composes the mail to the owner of a folder, days before a new or removed rule takes effect. */
export function ruleMail(locale: string, notice: RuleNotice): MailText {
  const language = languageOf(locale);
  const { set, removed, unnamed } = drafts[language];
  const { rule, name = unnamed, ...of } = notice;
  const draft = hasAll(rule) ? set({ ...of, name, rule }) : removed({ ...notice, name });
  return composeMail(language, { ...draft, button: { label: openFolder[language], page: consolePages.folder(notice.id) } });
}

const linksTo = (folders: readonly string[], word: string) =>
  folders.map((id) => ({ label: `${word} ${id}`, page: consolePages.folder(id) }));

const approvalDrafts: Record<Language, (folders: readonly string[], documents: number) => MailDraft> = {
  en: (folders, documents) => ({
    subject: `${documents} documents wait for a confirmation before they go to the bin`,
    paragraphs: [
      `By the retention rules of your team, ${documents} documents would move to the bin in one day. That is more than a tenth of all documents. They stay until an administrator confirms the rule of each of these folders:`,
      ...linksTo(folders, 'Folder'),
      'If this is not intended, change or remove the rule.',
    ],
  }),
  de: (folders, documents) => ({
    subject: `${documents} Dokumente warten auf eine Bestätigung, bevor sie in den Papierkorb kommen`,
    paragraphs: [
      `Nach den Aufbewahrungsregeln Ihres Teams kämen an einem Tag ${documents} Dokumente in den Papierkorb, mehr als ein Zehntel aller Dokumente. Sie bleiben erhalten, bis ein Administrator die Regel jedes dieser Ordner bestätigt:`,
      ...linksTo(folders, 'Ordner'),
      'Falls das nicht beabsichtigt ist, ändern oder entfernen Sie die Regel.',
    ],
  }),
};

/**
 * Composes the mail with the request to managers to confirm a large deletion. It lists identifiers of folders, because a folder may be inside a
 * barrier.
 */
export function confirmationMail(locale: string, folders: readonly string[], documents: number): MailText {
  const language = languageOf(locale);
  const button = { label: openRules[language], page: consolePages.settings('retention') };
  return composeMail(language, { ...approvalDrafts[language](folders, documents), button });
}
