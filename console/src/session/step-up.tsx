import { Button, TextInput } from '@mantine/core';
import type { FormEvent, JSX } from 'react';
import { useEffect, useRef, useState } from 'react';
import { api, ok } from '../api.ts';
import { useAction } from '../parts/action.ts';
import { Dialog } from '../parts/dialog.tsx';
import { fieldsOf } from '../parts/fields.ts';
import { PasswordField } from '../parts/password-field.tsx';
import { ProblemNotice } from '../problems/problem-notice.tsx';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { passkeysWork, askForPasskey, wasStopped } from './passkey.ts';
import { onIdentityRequired } from './send.ts';
import { session } from './session.ts';
import styles from './step-up.module.css';

type Proof = { password?: string; code?: string; passkey?: Awaited<ReturnType<typeof askForPasskey>> };

/** The dialog that confirms the identity of the person before a sensitive request, which the console then repeats (RFC 9470). */
export function StepUp(): JSX.Element {
  const words = useTexts(commonTexts);
  const [isOpen, setOpen] = useState(false);
  const finish = useRef<(confirmed: boolean) => void>(() => undefined);
  useEffect(
    () =>
      onIdentityRequired(
        () =>
          new Promise((resolve) => {
            // Several requests can need the same confirmation.
            const before = finish.current;
            finish.current = (confirmed) => {
              before(confirmed);
              resolve(confirmed);
            };
            setOpen(true);
          }),
      ),
    [],
  );
  const end = (confirmed: boolean) => {
    setOpen(false);
    finish.current(confirmed);
    finish.current = () => undefined;
  };
  return (
    <Dialog title={words.stepUp.title} isOpen={isOpen} close={() => end(false)}>
      <StepUpForm confirmed={() => end(true)} />
    </Dialog>
  );
}

function StepUpForm({ confirmed }: { confirmed: () => void }): JSX.Element {
  const { stepUp: words } = useTexts(commonTexts);
  const [isMissing, setMissing] = useState(false);
  const { error, isBusy, run } = useAction(wasStopped);
  const confirm = (proof: () => Promise<Proof>) =>
    run(async () => {
      const { accessToken } = await ok(api.POST('/api/v1/security/auth/reauthenticate', { body: await proof() }));
      session.use(accessToken);
      confirmed();
    });
  const byPasskey = () =>
    confirm(async () => ({ passkey: await askForPasskey(await ok(api.POST('/api/v1/security/auth/reauthenticate/options'))) }));
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password, code } = fieldsOf(event, 'password', 'code');
    const isEmpty = password === '' && code === '';
    setMissing(isEmpty);
    if (!isEmpty) void confirm(() => Promise.resolve({ ...(password === '' ? {} : { password }), ...(code === '' ? {} : { code }) }));
  };
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>{words.text}</p>
      {error !== undefined && <ProblemNotice error={error} />}
      {passkeysWork() && (
        <Button variant="default" data-autofocus onClick={() => void byPasskey()} disabled={isBusy}>
          {words.passkey}
        </Button>
      )}
      <PasswordField name="password" label={words.password} autoComplete="current-password" error={isMissing && words.needAnswer} />
      <TextInput name="code" label={words.code} autoComplete="one-time-code" autoCapitalize="off" spellCheck={false} />
      <Button type="submit" loading={isBusy}>
        {words.confirm}
      </Button>
    </form>
  );
}
