import { Badge, Button, TextInput } from '@mantine/core';
import { startRegistration } from '@simplewebauthn/browser';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { RowOf, Rows, Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { passkeysWork, wasStopped } from '../../session/passkey.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackupCodes } from './backup-codes.tsx';
import styles from './me.module.css';
import { meTexts } from './texts.ts';

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Registers a passkey of this device. Returns backup codes if it is the first second factor. */
async function addPasskey(name: string): Promise<string[] | undefined> {
  const options = await ok(api.POST('/api/v1/security/auth/passkeys/options'));
  const { id, rawId, response } = await startRegistration({ optionsJSON: options as CreationOptions });
  const { clientDataJSON, attestationObject, transports } = response;
  const answer = {
    id,
    rawId,
    type: 'public-key' as const,
    response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
  };
  return (await ok(api.POST('/api/v1/security/auth/passkeys', { body: { name, response: answer } }))).backupCodes;
}

const queryKey = ['passkeys'];
export const usePasskeys = () => useQuery({ queryKey, queryFn: () => ok(api.GET('/api/v1/security/auth/passkeys')) });

/** The passkeys of the person. */
export function Passkeys(): JSX.Element {
  const words = useTexts(meTexts);
  const client = useQueryClient();
  const query = usePasskeys();
  const [isAdding, setAdding] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const remove = async (id: string) => {
    await ok(api.DELETE('/api/v1/security/auth/passkeys/{id}', { params: { path: { id } } }));
    await client.invalidateQueries({ queryKey });
  };
  return (
    <Section
      title={words.passkeys}
      text={words.passkeysText}
      actions={
        passkeysWork() &&
        !isAdding && (
          <Button variant="default" onClick={() => setAdding(true)}>
            {words.addPasskey}
          </Button>
        )
      }
    >
      {isAdding && (
        <AddPasskey
          close={() => setAdding(false)}
          added={(backupCodes) => {
            setAdding(false);
            setCodes(backupCodes);
            void client.invalidateQueries({ queryKey });
            toast(words.passkeyAdded);
          }}
        />
      )}
      {codes && <BackupCodes codes={codes} done={() => setCodes(undefined)} />}
      {query.isPending && <Loading rows={2} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data?.length === 0 && !isAdding && <p className="soft">{words.noPasskeys}</p>}
      {query.data !== undefined && query.data.length > 0 && (
        <Rows label={words.passkeys}>
          {query.data.map(({ id, name, synced, createdAt, lastUsedAt }) => (
            <RowOf
              key={id}
              title={
                <>
                  {name}
                  {synced && (
                    <Badge variant="light" color="gray" tt="none" fw={500}>
                      {words.synced}
                    </Badge>
                  )}
                </>
              }
              detail={
                <>
                  {words.added} <Time at={createdAt} />
                  {lastUsedAt !== undefined && (
                    <>
                      {' · '}
                      {words.lastUsed} <Time at={lastUsedAt} />
                    </>
                  )}
                </>
              }
              actions={
                <ConfirmButton
                  size="xs"
                  label={words.remove}
                  name={`${words.remove}: ${name}`}
                  title={words.removePasskey}
                  action={() => remove(id)}
                >
                  <p>{words.removePasskeyText(name)}</p>
                </ConfirmButton>
              }
            />
          ))}
        </Rows>
      )}
    </Section>
  );
}

function AddPasskey({ close, added }: { close: () => void; added: (backupCodes: string[] | undefined) => void }): JSX.Element {
  const words = useTexts(meTexts);
  const common = useTexts(commonTexts);
  const { run, isBusy, error } = useAction(wasStopped);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name } = fieldsOf(event, 'name');
    void run(async () => added(await addPasskey(name === '' ? words.thisDevice : name)));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        name="name"
        label={words.passkeyName}
        description={words.passkeyNameText}
        defaultValue={words.thisDevice}
        maxLength={100}
      />
      {error !== undefined && <ProblemNotice error={error} />}
      <div className={styles.line}>
        <Button type="submit" loading={isBusy}>
          {words.createPasskey}
        </Button>
        <Button variant="subtle" onClick={close}>
          {common.cancel}
        </Button>
      </div>
    </form>
  );
}
