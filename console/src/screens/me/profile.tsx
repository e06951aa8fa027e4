import { Button, Radio, Select, Switch, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { session } from '../../session/session.ts';
import { singleKeys } from '../../shell/keys.ts';
import { useProfile } from '../../shell/person.ts';
import { commonTexts } from '../../texts/common.ts';
import { chooseLanguage, type Language, languages, useLanguage } from '../../texts/language.ts';
import { useTexts } from '../../texts/texts.ts';
import { MePage } from './me-page.tsx';
import styles from './me.module.css';
import { meTexts } from './texts.ts';

/** The name, the addresses and the preferences of the person. */
export function ProfilePage(): JSX.Element {
  const query = useProfile();
  return (
    <MePage>
      {query.isPending && <Loading />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <>
          <NameForm profile={query.data} />
          <EmailForm email={query.data.email} />
          <Preferences />
          <Notifications />
          <DeleteAccount email={query.data.email} />
        </>
      )}
    </MePage>
  );
}

function NameForm({ profile }: { profile: { firstName: string; lastName: string; timezone: string } }): JSX.Element {
  const words = useTexts(meTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const [timezone, setTimezone] = useState(profile.timezone);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { ...fieldsOf(event, 'firstName', 'lastName'), timezone };
    void run(async () => {
      await ok(api.PUT('/api/v1/security/auth/profile', { body }));
      await client.invalidateQueries({ queryKey: ['profile'] });
      toast(common.saved);
    });
  };
  return (
    <Section title={words.profile}>
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          name="firstName"
          label={words.firstName}
          defaultValue={profile.firstName}
          autoComplete="given-name"
          maxLength={100}
          required
        />
        <TextInput
          name="lastName"
          label={words.lastName}
          defaultValue={profile.lastName}
          autoComplete="family-name"
          maxLength={100}
          required
        />
        <Select
          label={words.timezone}
          data={[...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), profile.timezone])]}
          value={timezone}
          onChange={(zone) => setTimezone(zone ?? profile.timezone)}
          searchable
          limit={50}
        />
        {error !== undefined && <ProblemNotice error={error} />}
        <div>
          <Button type="submit" loading={isBusy}>
            {common.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** Changes the email address. A code to the new address confirms it. */
function EmailForm({ email }: { email: string }): JSX.Element {
  const words = useTexts(meTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const [pending, setPending] = useState<string>();
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email: wanted, code } = fieldsOf(event, 'email', 'code');
    void run(async () => {
      if (pending === undefined) {
        await ok(api.PUT('/api/v1/security/auth/profile', { body: { email: wanted } }));
        return setPending(wanted);
      }
      await ok(api.POST('/api/v1/security/auth/profile/confirm-email', { body: { code } }));
      setPending(undefined);
      await client.invalidateQueries({ queryKey: ['profile'] });
      toast(common.saved);
    });
  };
  return (
    <Section title={words.email} text={pending === undefined ? words.emailText : words.codeSent(pending)}>
      <form className={styles.form} onSubmit={submit}>
        {pending === undefined ? (
          <TextInput key={email} name="email" type="email" label={words.email} defaultValue={email} autoComplete="email" required />
        ) : (
          <TextInput key="code" name="code" label={words.emailCode} autoComplete="one-time-code" inputMode="numeric" required />
        )}
        {error !== undefined && <ProblemNotice error={error} />}
        <div className={styles.line}>
          <Button type="submit" variant="default" loading={isBusy}>
            {pending === undefined ? words.changeEmail : words.confirmEmail}
          </Button>
          {pending !== undefined && (
            <Button variant="subtle" onClick={() => setPending(undefined)}>
              {common.cancel}
            </Button>
          )}
        </div>
      </form>
    </Section>
  );
}

/** The language, and the keys of this browser. */
function Preferences(): JSX.Element {
  const words = useTexts(meTexts);
  const { keyboard } = useTexts(commonTexts);
  const language = useLanguage();
  const { run, error } = useAction();
  const [keysAreOn, setKeys] = useState(singleKeys.areOn());
  const change = (next: string | null) => {
    const chosen = Object.keys(languages).find((one): one is Language => one === next);
    if (chosen === undefined) return;
    chooseLanguage(chosen);
    void run(() => ok(api.PUT('/api/v1/security/auth/profile', { body: { locale: chosen } })));
  };
  return (
    <Section title={words.preferences}>
      <div className={styles.form}>
        <Select
          label={words.language}
          description={words.languageText}
          data={Object.entries(languages).map(([value, { name }]) => ({ value, label: name }))}
          value={language}
          allowDeselect={false}
          onChange={change}
        />
        <Switch
          label={keyboard.singleKeys}
          checked={keysAreOn}
          onChange={({ currentTarget: { checked } }) => {
            singleKeys.switch(checked);
            setKeys(checked);
          }}
        />
        {error !== undefined && <ProblemNotice error={error} />}
      </div>
    </Section>
  );
}

function Notifications(): JSX.Element {
  const words = useTexts(meTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const queryKey = ['notifications'];
  const query = useQuery({ queryKey, queryFn: () => ok(api.GET('/api/v1/security/auth/profile/notifications')) });
  const { run, isBusy, error } = useAction();
  const change = (next: string) => {
    const taskAssigned = (['at_once', 'daily', 'none'] as const).find((one) => one === next);
    if (taskAssigned === undefined) return;
    void run(async () => {
      client.setQueryData(queryKey, await ok(api.PUT('/api/v1/security/auth/profile/notifications', { body: { taskAssigned } })));
      toast(common.saved);
    });
  };
  return (
    <Section title={words.notifications}>
      {query.isPending && <Loading rows={2} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <Radio.Group label={words.taskAssigned} value={query.data.taskAssigned} onChange={change} readOnly={isBusy}>
          <div className={styles.form}>
            <Radio value="at_once" label={words.atOnce} mt="xs" />
            <Radio value="daily" label={words.daily} />
            <Radio value="none" label={words.never} />
          </div>
        </Radio.Group>
      )}
      {error !== undefined && <ProblemNotice error={error} />}
    </Section>
  );
}

function DeleteAccount({ email }: { email: string }): JSX.Element {
  const words = useTexts(meTexts);
  const remove = async () => {
    await ok(api.DELETE('/api/v1/security/auth/profile'));
    session.end();
  };
  return (
    <Section title={words.deleteAccount} text={words.deleteText}>
      <div>
        <ConfirmButton label={words.deleteAccount} title={words.deleteAccount} color="red" variant="outline" action={remove}>
          <p>{words.deleteConfirm(email)}</p>
        </ConfirmButton>
      </div>
    </Section>
  );
}
