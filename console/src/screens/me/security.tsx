import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { PasswordField } from '../../parts/password-field.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { session } from '../../session/session.ts';
import { useProfile } from '../../shell/person.ts';
import { useTexts } from '../../texts/texts.ts';
import { MePage } from './me-page.tsx';
import styles from './me.module.css';
import { Identities } from './identities.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { meTexts } from './texts.ts';

/** The ways to sign in, and where the person is signed in. */
export function SecurityPage(): JSX.Element {
  const query = useProfile();
  return (
    <MePage>
      {query.isPending && <Loading />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <>
          <Passkeys />
          <SecondFactor isOn={query.data.twoFactorEnabled} />
          <PasswordForm email={query.data.email} />
          <Sessions />
          <Identities />
        </>
      )}
    </MePage>
  );
}

function PasswordForm({ email }: { email: string }): JSX.Element {
  const words = useTexts(meTexts);
  const client = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentPassword, newPassword } = fieldsOf(event, 'currentPassword', 'newPassword');
    void run(async () => {
      const { accessToken } = await ok(api.PUT('/api/v1/security/auth/change-password', { body: { currentPassword, newPassword } }));
      session.use(accessToken);
      setAttempt((before) => before + 1);
      await client.invalidateQueries({ queryKey: ['sessions'] });
      toast(words.passwordChanged);
    });
  };
  return (
    <Section title={words.password} text={words.passwordText}>
      <form key={attempt} className={styles.form} onSubmit={submit}>
        {/* Password managers store the new password with this name. */}
        <input className="apart" name="username" autoComplete="username" defaultValue={email} readOnly tabIndex={-1} aria-hidden="true" />
        <PasswordField name="currentPassword" label={words.currentPassword} autoComplete="current-password" required />
        <PasswordField name="newPassword" label={words.newPassword} autoComplete="new-password" maxLength={128} required />
        {error !== undefined && <ProblemNotice error={error} />}
        <div>
          <Button type="submit" variant="default" loading={isBusy}>
            {words.changePassword}
          </Button>
        </div>
      </form>
    </Section>
  );
}
