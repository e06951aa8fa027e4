import { consolePages } from '../../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';
import { timeInWords } from '../../../platform/time-in-words.ts';

type DelegationMailData = { name: string; toName: string; from: string; until: string };
type Drafts = {
  'to the delegate': (told: DelegationMailData) => MailDraft;
  'to the absent member': (told: DelegationMailData) => MailDraft;
  ended: (name: string) => MailDraft;
  lost: (toName: string) => MailDraft;
};

const drafts: Record<Language, Drafts> = {
  en: {
    'to the delegate': ({ name, from, until }) => ({
      subject: `You are the delegate of ${name}`,
      paragraphs: [
        `from ${from} to ${until} you are the delegate of ${name}: new tasks of this member are assigned to you if you may do them.`,
        'The record of each decision shows that you acted as delegate. If you cannot do a task, reassign it.',
      ],
    }),
    'to the absent member': ({ toName, from, until }) => ({
      subject: `${toName} is your delegate`,
      paragraphs: [`an administrator made ${toName} your delegate from ${from} to ${until}. You can end the delegation at any time.`],
    }),
    ended: (name) => ({
      subject: `You are no longer the delegate of ${name}`,
      paragraphs: [
        `new tasks of ${name} are assigned to this member again. You keep the tasks that you received, unless they are reassigned.`,
      ],
    }),
    lost: (toName) => ({
      subject: `${toName} is no longer your delegate`,
      paragraphs: [
        `from now on your tasks are assigned to you, also during your absence. ${toName} keeps the tasks received so far while they are in the team.`,
        'To name another delegate, set a new delegation.',
      ],
    }),
  },
  de: {
    'to the delegate': ({ name, from, until }) => ({
      subject: `Sie vertreten ${name}`,
      paragraphs: [
        `von ${from} bis ${until} vertreten Sie ${name}: Neue Aufgaben gehen an Sie, soweit Sie sie erledigen dürfen.`,
        'Zu jeder Entscheidung wird festgehalten, dass Sie in Vertretung handeln. Können Sie eine Aufgabe nicht übernehmen, weisen Sie sie neu zu.',
      ],
    }),
    'to the absent member': ({ toName, from, until }) => ({
      subject: `${toName} vertritt Sie`,
      paragraphs: [
        `die Administration Ihres Teams hat festgelegt, dass ${toName} Sie von ${from} bis ${until} vertritt. Sie können die Vertretung jederzeit beenden.`,
      ],
    }),
    ended: (name) => ({
      subject: `Sie vertreten ${name} nicht mehr`,
      paragraphs: [
        `neue Aufgaben gehen ab jetzt wieder an ${name}. Aufgaben, die Sie bisher erhalten haben, behalten Sie, bis sie neu zugewiesen werden.`,
      ],
    }),
    lost: (toName) => ({
      subject: `${toName} vertritt Sie nicht mehr`,
      paragraphs: [
        `ab jetzt gehen Ihre Aufgaben an Sie, auch während Ihrer Abwesenheit. Bisher erhaltene Aufgaben behält ${toName}, solange ${toName} im Team ist.`,
        'Wenn Sie weiter eine Vertretung brauchen, legen Sie eine neue fest.',
      ],
    }),
  },
};

const inbox = (language: Language) => ({
  label: { en: 'Open your inbox', de: 'Eingang öffnen' }[language],
  page: consolePages.inbox(),
});
const own = (language: Language) => ({
  label: { en: 'Manage your delegate', de: 'Vertretung verwalten' }[language],
  page: consolePages.me(),
});

/** Mail to the delegate or to the absent member about a new delegation. */
export function delegationMail(
  { locale, timezone }: { locale: string; timezone: string },
  who: 'to the delegate' | 'to the absent member',
  data: DelegationMailData,
): MailText {
  const language = languageOf(locale);
  const [from, until] = [data.from, data.until].map((at) => timeInWords(at, language, timezone)) as [string, string];
  const button = who === 'to the delegate' ? inbox(language) : own(language);
  return composeMail(language, { ...drafts[language][who]({ ...data, from, until }), button });
}

/** Mail to the delegate about the end of a delegation. */
export function delegationEndedMail(locale: string, { name }: { name: string }): MailText {
  const language = languageOf(locale);
  return composeMail(language, { ...drafts[language].ended(name), button: inbox(language) });
}

/** Mail to the absent member who no longer has a delegate. */
export function delegationLostMail(locale: string, { toName }: { toName: string }): MailText {
  const language = languageOf(locale);
  return composeMail(language, { ...drafts[language].lost(toName), button: own(language) });
}
