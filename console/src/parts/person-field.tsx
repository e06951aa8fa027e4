import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JSX, KeyboardEvent } from 'react';
import { useState } from 'react';
import { api, ok } from '../api.ts';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Name } from './name.tsx';
import styles from './person-field.module.css';

const pauseMs = 200;
const maxFound = 6;

type TeamRole = 'owner' | 'admin' | 'member' | 'viewer' | 'guest' | 'auditor';
type Limits = {
  error?: string | undefined;
  /** By default `Person`. */
  label?: string;
  /** Only members with these roles. */
  roles?: readonly TeamRole[];
  /** Members who cannot be chosen. */
  except?: readonly string[];
};

/** Finds an active member by a part of the name or address. Enter in the field chooses the first one. */
export function PersonField({
  value,
  change,
  ...limits
}: Limits & { value: string | undefined; change: (id: string) => void }): JSX.Element {
  return <Finder {...limits} type="radio" chosen={value === undefined ? [] : [value]} choose={change} />;
}

/** Finds several active members. */
export function PeopleField({
  values,
  change,
  ...limits
}: Limits & { values: readonly string[]; change: (ids: readonly string[]) => void }): JSX.Element {
  const toggle = (id: string) => change(values.includes(id) ? values.filter((one) => one !== id) : [...values, id]);
  return <Finder {...limits} type="checkbox" chosen={values} choose={toggle} />;
}

type FinderProps = Limits & { type: 'radio' | 'checkbox'; chosen: readonly string[]; choose: (id: string) => void };

function Finder({ type, chosen, choose, error, label, roles, except }: FinderProps): JSX.Element {
  const words = useTexts(commonTexts);
  const name = label ?? words.person;
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), pauseMs);
  const {
    data = [],
    isSuccess,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['member', 'list', 'find', q, roles],
    queryFn: () => {
      const query = { q: q === '' ? undefined : q, role: roles && [...roles], limit: maxFound };
      return ok(api.GET('/api/v1/team/members', { params: { query } }));
    },
    placeholderData: keepPreviousData,
  });
  const found = data.filter(({ id, isActive }) => isActive && except?.includes(id) !== true);
  const isCurrent = q === text.trim() && !isPlaceholderData;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || text.trim() === '') return;
    event.preventDefault();
    const [first] = found;
    if (isCurrent && first !== undefined && !chosen.includes(first.id)) choose(first.id);
  };
  const option = (id: string, content: JSX.Element) => (
    <label key={id} className={styles.person}>
      <input type={type} name={name} value={id} checked={chosen.includes(id)} onChange={() => choose(id)} />
      {content}
    </label>
  );
  return (
    <fieldset className={styles.people}>
      <legend className="apart">{name}</legend>
      <TextInput
        data-autofocus
        type="search"
        label={name}
        placeholder={words.findPerson}
        value={text}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {chosen.filter((id) => !found.some((one) => one.id === id)).map((id) => option(id, <Name id={id} />))}
      {found.map(({ id, firstName, lastName, email }) =>
        option(
          id,
          <span>
            {firstName} {lastName}
            {email !== undefined && <span className="soft"> {email}</span>}
          </span>,
        ),
      )}
      {isSuccess && found.length === 0 && <p className="soft">{words.noPerson}</p>}
    </fieldset>
  );
}
