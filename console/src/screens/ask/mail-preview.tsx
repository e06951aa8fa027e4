import type { JSX } from 'react';
import { useContext } from 'react';
// The same texts that the service sends.
import { signerMailButtons, signerMailDrafts, withTeam } from '../../../../src/work/signatures/requests/signer-drafts.ts';
import { endOfDay } from '../../parts/day.ts';
import { useClaims } from '../../session/use-session.ts';
import { useProfile, useTeams } from '../../shell/person.ts';
import { TimeZone } from '../../texts/format.ts';
import { languages, useLanguage } from '../../texts/language.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './ask.module.css';
import type { RequestDraft } from './draft.ts';
import { askTexts } from './texts.ts';

/** The email that the first signer gets. */
export function MailPreview({ draft: { locale, message, until }, title }: { draft: RequestDraft; title: string }): JSX.Element {
  const words = useTexts(askTexts);
  const language = useLanguage();
  const timeZone = useContext(TimeZone);
  const { team: teamId } = useClaims();
  const { data: profile } = useProfile();
  const { data: teams } = useTeams();
  const team = teams?.find(({ id }) => id === teamId)?.name ?? '';
  const person = profile ? `${profile.firstName} ${profile.lastName}`.trim() : '';
  const chosen = (Object.hasOwn(signerMailDrafts, locale) ? locale : language) as keyof typeof signerMailDrafts;
  const time = { dateStyle: 'long', timeStyle: 'short', timeZone } as const;
  const end = until === '' ? undefined : endOfDay(until, timeZone);
  const mail = signerMailDrafts[chosen].requested({
    title,
    team,
    by: person === team ? person : withTeam[chosen](person, team),
    until: end ? new Intl.DateTimeFormat(locale === '' ? languages[language].locale : locale, time).format(end) : '',
    ...(message.trim() === '' ? {} : { message: message.trim().replaceAll(/\s+/g, ' ') }),
  });
  return (
    <details className={styles.mail}>
      <summary>{words.mailPreview}</summary>
      <article lang={chosen} dir={chosen === 'ar' ? 'rtl' : 'ltr'}>
        <h3>{mail.subject}</h3>
        {mail.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p className={styles.mailButton}>{signerMailButtons[chosen].requested}</p>
        {mail.notes?.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </article>
    </details>
  );
}
