import { NativeSelect, TagsInput, TextInput } from '@mantine/core';
import type { Document } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok, versioned } from '../../api.ts';
import { orToast } from '../../parts/action.ts';
import { ActionForm } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Failures, type ItemResult, wasChanged } from '../../parts/several.tsx';
import { toast } from '../../parts/toasts.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { pathOf, useFolders } from './folders.tsx';
import { documentTexts } from './texts.ts';

/** Changes the title. The form sends the version that it showed, so it replaces no other change. */
export function RenameForm({ id, close }: { id: string; close: () => void }): JSX.Element | null {
  const words = useTexts(documentTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const params = { path: { id } };
  const { data } = useQuery({
    queryKey: ['document', id, 'edit'],
    queryFn: () => versioned(api.GET('/api/v1/smartdoc/documents/{id}', { params })),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return null;
  const rename = async (event: FormEvent<HTMLFormElement>) => {
    const body = fieldsOf(event, 'title');
    await ok(api.PUT('/api/v1/smartdoc/documents/{id}', { params: { ...params, header: { 'If-Match': data.etag } }, body }));
    await client.invalidateQueries({ queryKey: ['document'] });
    toast(common.saved);
  };
  return (
    <ActionForm verb={common.save} close={close} send={rename}>
      <TextInput name="title" label={words.title} required maxLength={500} defaultValue={data.data.title} data-autofocus />
    </ActionForm>
  );
}

type DocumentsFormProps = { documents: readonly Document[]; close: () => void };

/** The labels that all of these documents have. */
const commonLabels = ([first, ...others]: readonly Document[]) =>
  (first?.labels ?? []).filter((label) => others.every(({ labels = [] }) => labels.includes(label)));

/** Changes the labels that all of the documents have. Labels of only some stay. */
export function LabelsForm({ documents, close }: DocumentsFormProps): JSX.Element {
  const words = useTexts(documentTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const [before] = useState(() => commonLabels(documents));
  const [labels, setLabels] = useState(before);
  const [results, setResults] = useState<readonly ItemResult[]>([]);
  const save = async () => {
    const items = documents.map((document) => {
      const own = (document.labels ?? []).filter((label) => !before.includes(label));
      return { id: document.id, labels: [...new Set([...labels, ...own])] };
    });
    const answer = await ok(api.POST('/api/v1/smartdoc/documents/label', { body: { items } }));
    await client.invalidateQueries({ queryKey: ['document'] });
    setResults(answer.results);
    if (!answer.results.every(wasChanged)) return false;
    toast(common.saved);
    return true;
  };
  return (
    <ActionForm verb={common.save} close={close} send={save}>
      <TagsInput
        label={words.labels}
        description={documents.length === 1 ? words.labelsHint : words.labelsOfSeveral}
        maxTags={20}
        value={labels}
        onChange={setLabels}
        data-autofocus
      />
      <Failures results={results} items={documents} />
    </ActionForm>
  );
}

const move = (documents: readonly Document[], folderId: string | null) =>
  ok(api.POST('/api/v1/smartdoc/documents/move', { body: { documentIds: documents.map(({ id }) => id), folderId } }));

export function MoveForm({ documents, close }: DocumentsFormProps): JSX.Element {
  const words = useTexts(documentTexts);
  const client = useQueryClient();
  const folders = useFolders();
  const renew = () => client.invalidateQueries({ queryKey: ['document'] });
  const moveBack = async () => {
    for (const [folder, ones] of Map.groupBy(documents, ({ folderId }) => folderId ?? null)) await move(ones, folder);
    await renew();
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    const { folder } = fieldsOf(event, 'folder');
    await move(documents, folder || null);
    await renew();
    toast(words.moved, { undo: () => void orToast(moveBack) });
  };
  const names = folders.map((one) => ({
    value: one.id,
    label: pathOf(folders, one.id)
      .map(({ name }) => name)
      .join(' / '),
  }));
  return (
    <ActionForm verb={words.moveHere} close={close} send={send}>
      <NativeSelect
        name="folder"
        label={words.folder}
        defaultValue={documents[0]?.folderId ?? ''}
        data={[{ value: '', label: words.noFolder }, ...names.toSorted((a, b) => a.label.localeCompare(b.label))]}
        data-autofocus
      />
    </ActionForm>
  );
}
