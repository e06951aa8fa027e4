import { Badge, Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { encodeQR } from 'qr';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { PasswordField } from '../../parts/password-field.tsx';
import { Section } from '../../parts/section.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackupCodes } from './backup-codes.tsx';
import styles from './me.module.css';
import { usePasskeys } from './passkeys.tsx';
import { meTexts } from './texts.ts';

type Setup = { setupId: string; totpUri: string; backupCodes: string[] };
type FactorStep = { kind: 'setup'; setup: Setup } | { kind: 'codes'; codes: string[] } | { kind: 'off' };

/** The authenticator app, with its backup codes. */
export function SecondFactor({ isOn }: { isOn: boolean }): JSX.Element {
  const words = useTexts(meTexts);
  const client = useQueryClient();
  const [step, setStep] = useState<FactorStep>();
  const { run, isBusy, error } = useAction();
  const renew = () => client.invalidateQueries({ queryKey: ['profile'] });
  const begin = () => run(async () => setStep({ kind: 'setup', setup: await ok(api.POST('/api/v1/security/auth/2fa/enable-init')) }));
  const renewCodes = () =>
    run(async () => setStep({ kind: 'codes', codes: (await ok(api.POST('/api/v1/security/auth/2fa/regenerate-codes'))).backupCodes }));
  const { data: passkeys = [] } = usePasskeys();
  const setUp = (
    <Button variant="default" loading={isBusy} onClick={() => void begin()}>
      {words.setUp}
    </Button>
  );
  const actions = isOn ? (
    <>
      {/* A passkey alone also turns the second factor on. */}
      {passkeys.length > 0 && setUp}
      <Button variant="default" loading={isBusy} onClick={() => void renewCodes()}>
        {words.newCodes}
      </Button>
      <Button variant="default" onClick={() => setStep({ kind: 'off' })}>
        {words.turnOff}
      </Button>
    </>
  ) : (
    setUp
  );
  return (
    <Section
      title={words.secondFactor}
      text={
        <>
          <Badge variant="light" color={isOn ? 'green' : 'gray'} tt="none" fw={500}>
            {isOn ? words.on : words.off}
          </Badge>{' '}
          {words.secondFactorText}
        </>
      }
      actions={step === undefined && actions}
    >
      {error !== undefined && <ProblemNotice error={error} />}
      {step?.kind === 'setup' && (
        <ConfirmSetup
          setup={step.setup}
          close={() => setStep(undefined)}
          confirmed={() => {
            setStep({ kind: 'codes', codes: step.setup.backupCodes });
            void renew();
          }}
        />
      )}
      {step?.kind === 'codes' && <BackupCodes codes={step.codes} done={() => setStep(undefined)} />}
      {step?.kind === 'off' && (
        <TurnOff
          close={() => setStep(undefined)}
          done={() => {
            setStep(undefined);
            toast(words.turnedOff);
            void renew();
          }}
        />
      )}
    </Section>
  );
}

function ConfirmSetup({ setup, close, confirmed }: { setup: Setup; close: () => void; confirmed: () => void }): JSX.Element {
  const words = useTexts(meTexts);
  const common = useTexts(commonTexts);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { code } = fieldsOf(event, 'code');
    void run(async () => {
      await ok(api.POST('/api/v1/security/auth/2fa/enable-confirm', { body: { setupId: setup.setupId, code } }));
      confirmed();
    });
  };
  return (
    <div className={styles.setup}>
      <QrCode text={setup.totpUri} label={words.qrCode} />
      <form className={styles.form} onSubmit={submit}>
        <p>{words.scan}</p>
        <p>
          {words.orEnter} <span className={styles.secret}>{new URL(setup.totpUri).searchParams.get('secret')}</span>
        </p>
        <TextInput name="code" label={words.firstCode} autoComplete="one-time-code" inputMode="numeric" required />
        {error !== undefined && <ProblemNotice error={error} />}
        <div className={styles.line}>
          <Button type="submit" loading={isBusy}>
            {words.turnOn}
          </Button>
          <Button variant="subtle" onClick={close}>
            {common.cancel}
          </Button>
        </div>
      </form>
    </div>
  );
}

function TurnOff({ close, done }: { close: () => void; done: () => void }): JSX.Element {
  const words = useTexts(meTexts);
  const common = useTexts(commonTexts);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password, code } = fieldsOf(event, 'password', 'code');
    void run(async () => {
      await ok(
        api.POST('/api/v1/security/auth/2fa/disable', { body: { ...(password !== '' && { password }), ...(code !== '' && { code }) } }),
      );
      done();
    });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>{words.turnOffText}</p>
      <PasswordField name="password" label={common.stepUp.password} autoComplete="current-password" />
      <TextInput name="code" label={common.stepUp.code} autoComplete="one-time-code" />
      {error !== undefined && <ProblemNotice error={error} />}
      <div className={styles.line}>
        <Button type="submit" color="red" loading={isBusy}>
          {words.turnOff}
        </Button>
        <Button variant="subtle" onClick={close}>
          {common.cancel}
        </Button>
      </div>
    </form>
  );
}

/** A QR code, drawn as one path. */
function QrCode({ text, label }: { text: string; label: string }): JSX.Element {
  const rows = encodeQR(text, 'raw');
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return (
    <svg className={styles.qr} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  );
}
