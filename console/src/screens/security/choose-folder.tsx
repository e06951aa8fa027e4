import { Select } from '@mantine/core';
import type { Folder } from '@chancery/client';
import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { ActionForm } from '../../parts/dialog.tsx';
import { defineTexts, useTexts } from '../../texts/texts.ts';

const chooseTexts = defineTexts({
  en: { folder: 'Folder', noFolder: 'No folder found', next: 'Continue' },
  de: { folder: 'Ordner', noFolder: 'Kein Ordner gefunden', next: 'Weiter' },
});

/** The folders of one request. */
const maxFolders = 500;

type ChooseFolderProps = { text: string; isOffered: (folder: Folder) => boolean; choose: (id: string) => void; close: () => void };

/** Selects one of the folders that the person can see. */
export function ChooseFolder({ text, isOffered, choose, close }: ChooseFolderProps): JSX.Element {
  const words = useTexts(chooseTexts);
  const [folder, setFolder] = useState<string | null>(null);
  const { data = [] } = useQuery({
    queryKey: ['folder', 'list', 'first'],
    queryFn: () => ok(api.GET('/api/v1/smartdoc/folders/', { params: { query: { limit: maxFolders } } })),
  });
  return (
    <ActionForm
      text={text}
      verb={words.next}
      isDisabled={folder === null}
      close={close}
      send={() => Promise.resolve(folder !== null && choose(folder))}
    >
      <Select
        label={words.folder}
        searchable
        required
        data={data.filter(isOffered).map(({ id, name }) => ({ value: id, label: name }))}
        value={folder}
        onChange={setFolder}
        nothingFoundMessage={words.noFolder}
        comboboxProps={{ withinPortal: true }}
        data-autofocus
      />
    </ActionForm>
  );
}
