import { Button, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { consoleAddress, isRegistrationOpen, serviceAddress } from '../../address.ts';
import { ok, publicApi } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { Icon } from '../../parts/icons.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { ApiProblem } from '../../problems/api-problem.ts';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { passkeysWork, askForPasskey, wasStopped } from '../../session/passkey.ts';
import { session } from '../../session/session.ts';
import { useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { SignInFrame } from './frame.tsx';
import styles from './sign-in.module.css';
import { signInTexts } from './texts.ts';
import { type ProviderResult, takeProviderResult } from './provider.ts';

type FactorChallenge = { challengeId: string; methods: readonly string[] };
type SignedIn = { accessToken: string };
type SignInResponse = SignedIn | (FactorChallenge & { twoFactorRequired: true });

/** The sign-in: password or passkey, then the second factor if the account has one; or the provider of the team. */
export function SignIn(): JSX.Element {
  const words = useTexts(signInTexts);
  const state = useSession();
  const [result] = useState<ProviderResult>(takeProviderResult);
  const [challenge, setChallenge] = useState<FactorChallenge | undefined>(result.challenge);
  return (
    <SignInFrame title={words.title}>
      {challenge ? (
        <SecondFactor challenge={challenge} back={() => setChallenge(undefined)} />
      ) : (
        <FirstFactor
          challenged={setChallenge}
          notice={state.status === 'signed out' && state.ended ? words.ended : undefined}
          refused={result.error}
        />
      )}
    </SignInFrame>
  );
}

/** Sends a step of the sign-in, and holds its error. */
function useStep(challenged: (challenge: FactorChallenge) => void, before?: ApiProblem) {
  const { error, isBusy, run } = useAction(wasStopped, before);
  const send = (step: () => Promise<SignInResponse>) =>
    run(async () => {
      const answer = await step();
      if ('challengeId' in answer) challenged(answer);
      else session.use(answer.accessToken);
    });
  return { error, isBusy, run: send };
}

type FirstFactorProps = { challenged: (challenge: FactorChallenge) => void; notice: string | undefined; refused: ApiProblem | undefined };

function FirstFactor({ challenged, notice, refused }: FirstFactorProps): JSX.Element {
  const words = useTexts(signInTexts);
  const { error, isBusy, run } = useStep(challenged, refused);
  const [email, setEmail] = useState('');
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({});
  const { next } = useSearch({ strict: false }) as { next?: string };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password } = fieldsOf(event, 'password');
    const wantsProvider = (event.nativeEvent as SubmitEvent).submitter?.dataset.provider !== undefined;
    const errors = {
      ...(email === '' ? { email: words.needEmail } : {}),
      ...(password === '' && !wantsProvider ? { password: words.needPassword } : {}),
    };
    setMissing(errors);
    if (Object.keys(errors).length > 0) return event.currentTarget.querySelector<HTMLElement>(`[name=${Object.keys(errors)[0]}]`)?.focus();
    if (wantsProvider) return location.assign(providerAddress(email, next));
    void run(() => ok(publicApi.POST('/api/v1/security/auth/login', { body: { email, password } })));
  };
  const byPasskey = () =>
    void run(async () => {
      const response = await askForPasskey(await ok(publicApi.POST('/api/v1/security/auth/passkeys/login/options')));
      return ok(publicApi.POST('/api/v1/security/auth/passkeys/login', { body: { response } }));
    });
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div>
        <h1>{words.title}</h1>
        <p className="soft">{words.intro}</p>
      </div>
      {notice !== undefined && (
        <p className={styles.notice} role="status">
          {notice}
        </p>
      )}
      {error !== undefined && <ProblemNotice error={error} />}
      {error instanceof ApiProblem && error.code === 'email_not_verified' && (
        <Link to="/register" search={{ email }}>
          {words.enterMailCode}
        </Link>
      )}
      <TextInput
        name="email"
        type="email"
        size="md"
        label={words.email}
        autoComplete="username webauthn"
        value={email}
        onChange={({ currentTarget: { value } }) => setEmail(value.trim())}
        error={missing.email}
      />
      <PasswordField name="password" size="md" label={words.password} autoComplete="current-password" error={missing.password} />
      <Button type="submit" size="md" loading={isBusy}>
        {words.submit}
      </Button>
      <a className={styles.forgot} href={`${serviceAddress}/forgot-password`}>
        {words.forgot}
      </a>
      <p className={styles.or}>
        <span>{words.or}</span>
      </p>
      <div className={styles.others}>
        {passkeysWork() && (
          <Button variant="default" size="md" leftSection={<Icon name="key" />} disabled={isBusy} onClick={byPasskey}>
            {words.passkey}
          </Button>
        )}
        <Button variant="default" size="md" type="submit" data-provider leftSection={<Icon name="people" />} disabled={isBusy}>
          {words.organisation}
        </Button>
      </div>
      {isRegistrationOpen && (
        <p className={styles.register}>
          {words.noAccount} <Link to="/register">{words.registerTitle}</Link>
        </p>
      )}
    </form>
  );
}

function SecondFactor({ challenge, back }: { challenge: FactorChallenge; back: () => void }): JSX.Element {
  const words = useTexts(signInTexts);
  const { error, isBusy, run } = useStep(() => undefined);
  const [isMissing, setMissing] = useState(false);
  const { challengeId, methods } = challenge;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { code } = fieldsOf(event, 'code');
    setMissing(code === '');
    if (code !== '') void run(() => ok(publicApi.POST('/api/v1/security/auth/verify-totp', { body: { challengeId, code } })));
  };
  const byPasskey = () =>
    void run(async () => {
      const response = await askForPasskey(
        await ok(publicApi.POST('/api/v1/security/auth/verify-passkey/options', { body: { challengeId } })),
      );
      return ok(publicApi.POST('/api/v1/security/auth/verify-passkey', { body: { challengeId, response } }));
    });
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div>
        <h1>{words.codeTitle}</h1>
        <p className="soft">{words.codeIntro}</p>
      </div>
      {error !== undefined && <ProblemNotice error={error} />}
      {methods.includes('passkey') && passkeysWork() && (
        <Button variant="default" size="md" leftSection={<Icon name="key" />} disabled={isBusy} onClick={byPasskey}>
          {words.passkey}
        </Button>
      )}
      <TextInput
        name="code"
        size="md"
        label={words.code}
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step has one field, and replaces a form that had the focus
        autoFocus
        error={isMissing && words.needCode}
      />
      <Button type="submit" size="md" loading={isBusy}>
        {words.codeSubmit}
      </Button>
      <Button variant="subtle" onClick={back}>
        {words.again}
      </Button>
    </form>
  );
}

/** The address that starts the sign-in at the provider of a team. Its result leads back here. */
function providerAddress(email: string, next: string | undefined): string {
  const returnTo = `${consoleAddress}/login${next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`}`;
  return `${serviceAddress}/api/v1/security/auth/sso/start?${new URLSearchParams({ email, returnTo }).toString()}`;
}
