import { MultiSelect, NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { useFolders } from '../documents/folders.tsx';
import { api, ok } from '../../api.ts';
import { useTexts } from '../../texts/texts.ts';
import { invitationTexts } from './invitation-texts.ts';

/** A folder or document that a guest may open. */
export type GuestThing = { type: 'folder' | 'document'; id: string };
type Option = { value: string; label: string };

const pauseMs = 200;
const maxFound = 10;
/** The most resources of an invitation. */
const maxThings = 100;

const keyOf = ({ type, id }: GuestThing) => `${type} ${id}`;
const thingOf = (key: string): GuestThing => ({
  type: key.startsWith('folder ') ? 'folder' : 'document',
  id: key.slice(key.indexOf(' ') + 1),
});

/** Selects the folders and documents that a guest gets with the invitation, and the right to them (the field `right`). */
export function GuestAccess({
  things,
  change,
}: {
  things: readonly GuestThing[];
  change: (things: readonly GuestThing[]) => void;
}): JSX.Element {
  const words = useTexts(invitationTexts);
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), pauseMs);
  const [chosen, setChosen] = useState<readonly Option[]>([]);
  const folders = useFolders();
  const { data: documents = [] } = useQuery({
    queryKey: ['document', 'list', 'select', q],
    queryFn: () => ok(api.GET('/api/v1/smartdoc/documents/', { params: { query: { q: q === '' ? undefined : q, limit: maxFound } } })),
    placeholderData: keepPreviousData,
  });
  const wanted = q.toLocaleLowerCase();
  const found: Option[] = [
    ...folders
      .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
      .slice(0, maxFound)
      .map(({ id, name }) => ({ value: keyOf({ type: 'folder', id }), label: `${words.folder}: ${name}` })),
    ...documents.map(({ id, title }) => ({ value: keyOf({ type: 'document', id }), label: title })),
  ];
  const options = [...chosen, ...found.filter(({ value }) => !chosen.some((one) => one.value === value))];
  return (
    <>
      <MultiSelect
        label={words.mayOpen}
        description={words.mayOpenText}
        placeholder={things.length === 0 ? words.findThing : ''}
        searchable
        data={options}
        value={things.map(keyOf)}
        onChange={(keys) => {
          setChosen(options.filter(({ value }) => keys.includes(value)));
          change(keys.map(thingOf));
        }}
        searchValue={text}
        onSearchChange={setText}
        filter={({ options: all }) => all}
        hidePickedOptions
        maxValues={maxThings}
        nothingFoundMessage={words.noThing}
        comboboxProps={{ withinPortal: true }}
      />
      {things.length > 0 && (
        <NativeSelect
          name="right"
          label={words.right}
          data={(['viewer', 'editor'] as const).map((value) => ({ value, label: words.rights[value] }))}
        />
      )}
    </>
  );
}
