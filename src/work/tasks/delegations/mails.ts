import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';
import { timeInWords } from '../../../platform/time-in-words.ts';

type DelegationMailData = { name: string; toName: string; from: string; until: string };
type Drafts = {
  'stands in': (told: DelegationMailData) => MailDraft;
  'is away': (told: DelegationMailData) => MailDraft;
  ended: (name: string) => MailDraft;
  lost: (toName: string) => MailDraft;
};

const drafts: Record<Language, Drafts> = {
  en: {
    'stands in': ({ name, from, until }) => ({
      subject: `You stand in for ${name}`,
      paragraphs: [
        `from ${from} to ${until} you stand in for ${name}: tasks that would be given to them are given to you, where you may do them.`,
        'What you decide says that you do it in their place. If you cannot do it, pass a task on.',
      ],
    }),
    'is away': ({ toName, from, until }) => ({
      subject: `${toName} stands in for you`,
      paragraphs: [`an administrator has said that ${toName} stands in for you from ${from} to ${until}. You can end that at any time.`],
    }),
    ended: (name) => ({
      subject: `You stand in for ${name} no more`,
      paragraphs: [`from now on tasks of ${name} go to them again. What you were given meanwhile stays with you, unless it is taken back.`],
    }),
    lost: (toName) => ({
      subject: `${toName} stands in for you no more`,
      paragraphs: [
        `from now on your tasks come to you, also while you are away. What ${toName} was given meanwhile stays with them while they are in the team.`,
        'If somebody else is to stand in for you, say so.',
      ],
    }),
  },
  de: {
    'stands in': ({ name, from, until }) => ({
      subject: `Sie vertreten ${name}`,
      paragraphs: [
        `von ${from} bis ${until} vertreten Sie ${name}: Aufgaben, die dorthin gingen, gehen an Sie, soweit Sie sie erledigen dürfen.`,
        'Was Sie entscheiden, nennt, für wen Sie es tun. Können Sie eine Aufgabe nicht übernehmen, geben Sie sie weiter.',
      ],
    }),
    'is away': ({ toName, from, until }) => ({
      subject: `${toName} vertritt Sie`,
      paragraphs: [
        `jemand aus der Verwaltung hat festgelegt, dass ${toName} Sie von ${from} bis ${until} vertritt. Sie können das jederzeit beenden.`,
      ],
    }),
    ended: (name) => ({
      subject: `Sie vertreten ${name} nicht mehr`,
      paragraphs: [
        `Aufgaben von ${name} gehen ab jetzt wieder dorthin. Was Sie inzwischen bekommen haben, bleibt bei Ihnen, bis es zurückgenommen wird.`,
      ],
    }),
    lost: (toName) => ({
      subject: `${toName} vertritt Sie nicht mehr`,
      paragraphs: [
        `ab jetzt gehen Ihre Aufgaben an Sie, auch während Sie abwesend sind. Was ${toName} inzwischen bekommen hat, bleibt dort, solange ${toName} im Team ist.`,
        'Soll jemand anderes Sie vertreten, dann legen Sie das fest.',
      ],
    }),
  },
};

/** Tells one of the two of a delegation. */
export function delegationMail(
  { locale, timezone }: { locale: string; timezone: string },
  who: 'stands in' | 'is away',
  data: DelegationMailData,
): MailText {
  const language = languageOf(locale);
  const [from, until] = [data.from, data.until].map((at) => timeInWords(at, language, timezone)) as [string, string];
  return composeMail(language, drafts[language][who]({ ...data, from, until }));
}

/** Tells who stood in that it is over. */
export function delegationEndedMail(locale: string, { name }: { name: string }): MailText {
  const language = languageOf(locale);
  return composeMail(language, drafts[language].ended(name));
}

/** Tells who is away that nobody stands in for them any more. */
export function delegationLostMail(locale: string, { toName }: { toName: string }): MailText {
  const language = languageOf(locale);
  return composeMail(language, drafts[language].lost(toName));
}
