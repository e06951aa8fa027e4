import type { JSX } from 'react';
import { useContext } from 'react';
// The same texts that the service sends.
import { invitationDrafts } from '../../../../src/identity/teams/invitation-drafts.ts';
import { useClaims } from '../../session/use-session.ts';
import { useProfile, useTeams } from '../../shell/person.ts';
import { TimeZone } from '../../texts/format.ts';
import { useLanguage } from '../../texts/language.ts';
import { useTexts } from '../../texts/texts.ts';
import { invitationTexts } from './invitation-texts.ts';
import type { GivenRole } from './member-role.tsx';
import styles from './settings.module.css';

/** The email that an invited person gets, in the language of the inviter. */
export function InvitationPreview({ role, endsAt }: { role: GivenRole; endsAt: string | undefined }): JSX.Element {
  const words = useTexts(invitationTexts);
  const timeZone = useContext(TimeZone);
  const { team } = useClaims();
  const { data: profile } = useProfile();
  const { data: teams } = useTeams();
  const language = useLanguage();
  const mail = invitationDrafts[language]({
    team: teams?.find(({ id }) => id === team)?.name ?? '',
    role,
    by: profile && `${profile.firstName} ${profile.lastName}`,
    until: endsAt && new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(endsAt)),
    valid: invitationTexts[language].usualTime,
  });
  return (
    <details className={styles.mail}>
      <summary>{words.mail}</summary>
      <article lang={language}>
        <h3>{mail.subject}</h3>
        {mail.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p className={styles.mailButton}>{mail.button}</p>
        {mail.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </article>
    </details>
  );
}
