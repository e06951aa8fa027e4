import { Button, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { isRegistrationOpen } from '../../address.ts';
import { ok, publicApi } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { PasswordField } from '../../parts/password-field.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { session } from '../../session/session.ts';
import { useTexts } from '../../texts/texts.ts';
import { SignInFrame } from './frame.tsx';
import { withProof } from './proof.ts';
import styles from './sign-in.module.css';
import { signInTexts } from './texts.ts';

/** The registration of an account with its own team, then the code that confirms the address. If it is closed, the way to an invitation. */
export function Register(): JSX.Element {
  const words = useTexts(signInTexts);
  // A sign-in with an unconfirmed address leads here with the address.
  const { email: unconfirmed } = useSearch({ strict: false }) as { email?: string };
  const [email, setEmail] = useState(unconfirmed);
  return (
    <SignInFrame title={isRegistrationOpen ? words.registerTitle : words.closedTitle}>
      {!isRegistrationOpen ? (
        <div className={styles.form}>
          <h1>{words.closedTitle}</h1>
          <p className="soft">{words.closedIntro}</p>
        </div>
      ) : email === undefined ? (
        <AccountForm registered={setEmail} />
      ) : (
        <ConfirmForm email={email} />
      )}
      <Link className={styles.forgot} to="/login">
        {words.haveAccount}
      </Link>
    </SignInFrame>
  );
}

function AccountForm({ registered }: { registered: (email: string) => void }): JSX.Element {
  const words = useTexts(signInTexts);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const person = fieldsOf(event, 'firstName', 'lastName', 'email', 'password');
    void run(async () => {
      await withProof('register', (altcha) =>
        ok(
          publicApi.POST('/api/v1/security/auth/register', {
            body: { ...person, ...(altcha !== undefined && { altcha }) },
          }),
        ),
      );
      registered(person.email);
    });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div>
        <h1>{words.registerTitle}</h1>
        <p className="soft">{words.registerIntro}</p>
      </div>
      {error !== undefined && <ProblemNotice error={error} />}
      <TextInput
        name="firstName"
        size="md"
        label={words.firstName}
        autoComplete="given-name"
        maxLength={100}
        required
        withAsterisk={false}
      />
      <TextInput
        name="lastName"
        size="md"
        label={words.lastName}
        autoComplete="family-name"
        maxLength={100}
        required
        withAsterisk={false}
      />
      <TextInput name="email" type="email" size="md" label={words.email} autoComplete="username" required withAsterisk={false} />
      <PasswordField
        name="password"
        size="md"
        label={words.password}
        autoComplete="new-password"
        maxLength={128}
        required
        withAsterisk={false}
      />
      <Button type="submit" size="md" loading={isBusy}>
        {words.register}
      </Button>
    </form>
  );
}

function ConfirmForm({ email }: { email: string }): JSX.Element {
  const words = useTexts(signInTexts);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { code } = fieldsOf(event, 'code');
    void run(async () =>
      session.use((await ok(publicApi.POST('/api/v1/security/auth/verify-email', { body: { email, code } }))).accessToken),
    );
  };
  const resend = () =>
    void run(async () => {
      await ok(publicApi.POST('/api/v1/security/auth/resend-verification', { body: { email } }));
      toast(words.codeResent);
    });
  return (
    <form className={styles.form} onSubmit={submit}>
      <div>
        <h1>{words.confirmTitle}</h1>
        <p className="soft">{words.confirmIntro(email)}</p>
      </div>
      {error !== undefined && <ProblemNotice error={error} />}
      <TextInput
        name="code"
        size="md"
        label={words.mailCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        withAsterisk={false}
      />
      <Button type="submit" size="md" loading={isBusy}>
        {words.codeSubmit}
      </Button>
      <Button variant="subtle" onClick={resend}>
        {words.resend}
      </Button>
    </form>
  );
}
