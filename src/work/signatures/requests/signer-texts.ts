import { composeMail, type MailText } from '../../../platform/mail/compose.ts';
import { withoutLinks } from '../../../platform/text.ts';
import { signerMailButtons, type SignerMailData, signerMailDrafts, type SignerMailKind, withTeam } from './signer-drafts.ts';
import { type SignerLocale, signerLocale } from './signer-locale.ts';

/* Emails to signers, who need no account. */

/** Titles, names and messages can come from strangers, so links in them are removed. */
const plain = (text: string): string => withoutLinks(text.replaceAll(/\s+/g, ' ').trim());

const documentsLabel: Record<SignerLocale, string> = { en: 'Documents:', de: 'Dokumente:', ar: 'المستندات:', ja: '文書:' };

/** The email to a signer or a copy recipient. */
export function signerMail(locale: string, kind: SignerMailKind, { url, message, documents = [], ...said }: SignerMailData): MailText {
  const language = signerLocale(locale);
  const [person, team] = [plain(said.by), plain(said.team)];
  const by = person === team ? person : withTeam[language](person, team);
  const shown = { title: plain(said.title), by, team, until: said.until };
  const draft = signerMailDrafts[language][kind]({ ...shown, ...(message === undefined ? {} : { message: plain(message) }) });
  const label = signerMailButtons[language][kind];
  const list = label === undefined ? [] : documents.map((title, at) => `${at + 1}. ${plain(title)}`);
  const paragraphs = list.length === 0 ? draft.paragraphs : draft.paragraphs.toSpliced(1, 0, documentsLabel[language], ...list);
  const button = label === undefined ? undefined : { label, page: url };
  return composeMail(language, { ...draft, paragraphs, button }, { name: said.team });
}

/** The email with the code that opens a document. */
export function codeMail(locale: string, said: { title: string; code: string }): MailText {
  const language = signerLocale(locale);
  return composeMail(language, signerMailDrafts[language].code({ ...said, title: plain(said.title) }));
}
