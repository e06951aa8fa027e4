import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../api.ts';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';

/** Time after the last letter before the documents are searched. */
const pauseMs = 200;
const maxFound = 20;

type Choice = { value: string; label: string };
type DocumentSelectProps = { label: string; placeholder: string; change: (id: string | undefined) => void };

async function findDocuments(q: string | undefined): Promise<Choice[]> {
  const query = { q, limit: maxFound, sort: '-updatedAt' as const };
  const found = await ok(api.GET('/api/v1/smartdoc/documents/', { params: { query } }));
  return found.map(({ id, title }) => ({ value: id, label: title }));
}

/** Selects a document by a part of its title. */
export function DocumentSelect({ change, ...field }: DocumentSelectProps): JSX.Element {
  const { noHits } = useTexts(commonTexts);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Choice>();
  // The title of the chosen document is no search.
  const letters = text === chosen?.label ? '' : text.trim();
  const [wanted] = useDebouncedValue(letters, pauseMs);
  const { data: found = [], isPlaceholderData } = useQuery({
    queryKey: ['document', 'list', 'choices', wanted],
    queryFn: () => findDocuments(wanted === '' ? undefined : wanted),
    placeholderData: keepPreviousData,
  });
  // Enter selects the first shown one. Until the next response, the one for earlier letters is narrowed.
  const isOld = letters !== wanted || isPlaceholderData;
  const shown = isOld ? found.filter(({ label }) => label.toLocaleLowerCase().includes(letters.toLocaleLowerCase())) : found;
  return (
    <Select
      {...field}
      required
      searchable
      data={chosen === undefined || shown.some(({ value }) => value === chosen.value) ? shown : [chosen, ...shown]}
      filter={({ options }) => options}
      nothingFoundMessage={noHits}
      value={chosen?.value ?? null}
      onSearchChange={setText}
      onChange={(id) => {
        const choice = found.find(({ value }) => value === id);
        setChosen(choice);
        change(choice?.value);
      }}
    />
  );
}
