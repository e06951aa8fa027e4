import { type ComboboxItem, type ComboboxItemGroup, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../api.ts';
import { defineTexts, useTexts } from '../texts/texts.ts';

const principalTexts = defineTexts({
  en: { people: 'People', groups: 'Groups', wholeTeam: 'Everyone in the team', noHits: 'Not found' },
  de: { people: 'Personen', groups: 'Gruppen', wholeTeam: 'Alle im Team', noHits: 'Nicht gefunden' },
});

/** A person, a group or the whole team, as the value of a field. */
export type Principal = 'team' | `user:${string}` | `group:${string}`;
export const isGroup = (principal: Principal): boolean => principal.startsWith('group:');
export const principalId = (principal: Principal): string => principal.slice(principal.indexOf(':') + 1);

/** The principal as the members of a request. */
export const principalBody = (principal: Principal): { team: true } | { userId: string } | { groupId: string } =>
  principal === 'team' ? { team: true } : isGroup(principal) ? { groupId: principalId(principal) } : { userId: principalId(principal) };

/** Time after the last letter before the members are searched. */
const pauseMs = 200;
const [maxPeople, maxGroups] = [20, 500];

type Option = { value: Principal; label: string };
type PrincipalSelectProps = {
  label?: string;
  /** The name for screen readers, if the field has no visible label. */
  'aria-label'?: string;
  description?: string | undefined;
  placeholder?: string;
  clearable?: boolean;
  value: Principal | null;
  onChange: (principal: Principal | null) => void;
  /** Offers groups and the whole team as well. */
  groups?: boolean;
  team?: boolean;
  /** Principals that the field does not offer, because they are picked. */
  without?: ReadonlySet<Principal>;
  required?: boolean;
  'data-autofocus'?: boolean;
};

type FieldOption = ComboboxItem<Principal> | ComboboxItemGroup<ComboboxItem<Principal>>;

/** Returns an option, or a group of options, that contains a text. */
function containing(one: FieldOption, letters: string): FieldOption[] {
  if (!('group' in one)) return one.label.toLocaleLowerCase().includes(letters) ? [one] : [];
  const items = one.items.filter(({ label }) => label.toLocaleLowerCase().includes(letters));
  return items.length === 0 ? [] : [{ ...one, items }];
}

/** Selects a member of the team by name, or a group. */
export function PrincipalSelect(props: PrincipalSelectProps): JSX.Element {
  const { value, onChange, groups = false, team = false, without = new Set(), ...field } = props;
  const words = useTexts(principalTexts);
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<Option>();
  // The text of the picked option is no search.
  const letters = text === picked?.label ? '' : text.trim();
  const [q] = useDebouncedValue(letters, pauseMs);
  const members = useQuery({
    queryKey: ['member', 'list', 'principals', q],
    queryFn: () => ok(api.GET('/api/v1/team/members', { params: { query: { limit: maxPeople, ...(q === '' ? {} : { q }) } } })),
    placeholderData: keepPreviousData,
  });
  const allGroups = useQuery({
    queryKey: ['group', 'list', 'principals'],
    queryFn: () => ok(api.GET('/api/v1/groups/', { params: { query: { limit: maxGroups } } })),
    enabled: groups,
  });
  // Enter selects the first shown one. Until the next response, the one for earlier letters is narrowed.
  const isOld = letters !== q || members.isPlaceholderData;
  const isOffered = ({ value: one }: Option) => !without.has(one);
  const people = (members.data ?? [])
    .filter(({ isActive }) => isActive)
    .map(({ id, firstName, lastName }): Option => ({ value: `user:${id}`, label: `${firstName} ${lastName}`.trim() }))
    .filter(isOffered);
  const found = (allGroups.data ?? [])
    .filter(({ name }) => name.toLocaleLowerCase().includes(q.toLocaleLowerCase()))
    .map(({ id, name }): Option => ({ value: `group:${id}`, label: name }))
    .filter(isOffered);
  const whole: Option[] = team && q === '' ? [{ value: 'team' as const, label: words.wholeTeam }].filter(isOffered) : [];
  const isMissing = picked !== undefined && picked.value === value && ![...people, ...found, ...whole].some((one) => one.value === value);
  const data = [
    ...whole,
    ...(people.length > 0 || isMissing ? [{ group: words.people, items: isMissing ? [picked, ...people] : people }] : []),
    ...(found.length > 0 ? [{ group: words.groups, items: found }] : []),
  ];
  return (
    <Select
      {...field}
      searchable
      data={data}
      value={value}
      onChange={(next, option) => {
        setPicked(option === null ? undefined : option);
        onChange(next);
      }}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => (isOld ? options.flatMap((one) => containing(one, letters.toLocaleLowerCase())) : options)}
      nothingFoundMessage={words.noHits}
      comboboxProps={{ withinPortal: true }}
      maxDropdownHeight={280}
    />
  );
}
