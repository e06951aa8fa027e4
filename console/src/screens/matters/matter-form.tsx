import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Matter } from '@chancery/client';
import type { FormEvent, JSX, ReactNode } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { useName } from '../../parts/name.tsx';
import { type Principal, PrincipalSelect, principalId } from '../../parts/principal-select.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { managesMatter, useClient, useClients } from './matter-data.ts';
import styles from './matters.module.css';
import { matterTexts } from './texts.ts';

/** The entries of the form. An empty text clears the member. */
export type MatterValues = {
  name: string;
  number: string;
  practice: string;
  clientId: string | null;
  responsibleId: string | undefined;
  isPending: boolean;
};

type MatterFormProps = {
  matter?: Matter;
  /** The entries before another version was saved. */
  mine?: MatterValues | undefined;
  verb: string;
  isBusy: boolean;
  submit: (values: MatterValues) => void;
  cancel: () => void;
  children?: ReactNode;
};

/** The value of a client that the form creates: a prefix and the name. */
const newClient = 'new:';

/** The form of a new matter, and of its details. */
export function MatterForm({ matter, mine, verb, isBusy, submit, cancel, children }: MatterFormProps): JSX.Element {
  const words = useTexts(matterTexts);
  const claims = useClaims();
  const [client, setClient] = useState<string | null>(mine ? mine.clientId : (matter?.clientId ?? null));
  const [responsible, setResponsible] = useState<Principal | null>(null);
  const namesResponsible = matter ? managesMatter(claims, matter) : managesTeam(claims);
  const { data: current } = useName(matter?.responsibleId);
  const { run, isBusy: isCreating, error } = useAction();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name, number, practice, pending } = fieldsOf(event, 'name', 'number', 'practice', 'pending');
    const responsibleId = responsible === null ? undefined : principalId(responsible);
    void run(async () => {
      let clientId = client;
      if (clientId?.startsWith(newClient)) {
        ({ id: clientId } = await ok(api.POST('/api/v1/matter-clients/', { body: { name: clientId.slice(newClient.length) } })));
        setClient(clientId);
      }
      submit({ name, number, practice, clientId, responsibleId, isPending: pending !== '' });
    });
  };
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <TextInput name="name" label={words.name} defaultValue={mine?.name ?? matter?.name} maxLength={1_000} required data-autofocus />
      <TextInput
        name="number"
        label={words.number}
        description={matter ? undefined : words.numberText}
        defaultValue={mine?.number ?? matter?.number}
        maxLength={100}
        required={matter !== undefined}
      />
      <ClientSelect value={client} onChange={setClient} />
      <TextInput name="practice" label={words.practice} defaultValue={mine?.practice ?? matter?.practice} maxLength={200} />
      {namesResponsible && (
        <PrincipalSelect
          label={matter ? words.newResponsible : words.responsible}
          description={matter ? words.newResponsibleText(current?.name ?? '') : words.responsibleText}
          value={responsible}
          onChange={setResponsible}
        />
      )}
      {(matter === undefined || matter.status === 'pending') && (
        <Checkbox
          name="pending"
          label={words.isPending}
          description={words.isPendingText}
          defaultChecked={mine?.isPending ?? matter?.status === 'pending'}
        />
      )}
      {error !== undefined && <ProblemNotice error={error} />}
      {children}
      <div className={styles.buttons}>
        <Button type="submit" loading={isBusy || isCreating}>
          {verb}
        </Button>
        <Button variant="subtle" onClick={cancel}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Time after the last letter before the clients are searched. */
const pauseMs = 200;

/** Selects a client of the team, or the name of a new one. */
function ClientSelect({ value, onChange }: { value: string | null; onChange: (client: string | null) => void }): JSX.Element {
  const words = useTexts(matterTexts);
  const [text, setText] = useState('');
  const current = useClient(value === null || value.startsWith(newClient) ? undefined : value);
  const typed = text.trim();
  const [q] = useDebouncedValue(typed === current?.name ? '' : typed, pauseMs);
  const { data: found = [] } = useClients(q);
  const data = found.map(({ id, name, reference }) => ({ value: id, label: reference === undefined ? name : `${name} (${reference})` }));
  if (current && !data.some((one) => one.value === current.id)) data.push({ value: current.id, label: current.name });
  const isKnown = found.some(({ name }) => name.toLocaleLowerCase() === typed.toLocaleLowerCase());
  if (value?.startsWith(newClient)) data.push({ value, label: words.createClient(value.slice(newClient.length)) });
  else if (typed !== '' && typed === q && !isKnown) data.push({ value: `${newClient}${typed}`, label: words.createClient(typed) });
  return (
    <Select
      label={words.client}
      description={words.clientText}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': words.noClient }}
      data={data}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => (typed === q || typed === current?.name ? options : [])}
      nothingFoundMessage={words.noClientFound}
      comboboxProps={{ withinPortal: true }}
      maxDropdownHeight={280}
    />
  );
}
