import { Button } from '@mantine/core';
import type { Document } from '@chancery/client';
import { useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { orToast } from '../../parts/action.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { download } from '../../parts/download.ts';
import { Failures, type ItemResult, SeveralBar, wasChanged } from '../../parts/several.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { LabelsForm, MoveForm } from './document-forms.tsx';
import { documentTexts } from './texts.ts';

type SeveralProps = { documents: readonly Document[]; pick: (documents: readonly Document[]) => void };

/** What can be done with the picked documents. */
export function SeveralDocuments({ documents, pick }: SeveralProps): JSX.Element | null {
  const words = useTexts(documentTexts);
  const client = useQueryClient();
  const mayWrite = useClaims().scopes.has('documents:write');
  const [dialog, setDialog] = useState<'move' | 'labels' | 'failures'>();
  const [results, setResults] = useState<readonly ItemResult[]>([]);
  if (documents.length === 0) return null;
  const done = () => {
    setDialog(undefined);
    pick([]);
  };
  const renew = () => client.invalidateQueries({ queryKey: ['document'] });
  const moveToBin = async () => {
    const items = documents.map(({ id }) => ({ id }));
    const answer = await ok(api.POST('/api/v1/smartdoc/documents/delete', { body: { items } }));
    const binned = answer.results.filter(wasChanged);
    const undo = async () => {
      for (const { id } of binned) await ok(api.POST('/api/v1/smartdoc/documents/{id}/restore', { params: { path: { id } } }));
      await renew();
    };
    await renew();
    if (binned.length > 0) toast(words.binnedSeveral(binned.length), { undo: () => void orToast(undo) });
    if (binned.length === documents.length) return pick([]);
    setResults(answer.results);
    setDialog('failures');
    return pick(documents.filter(({ id }) => !binned.some((one) => one.id === id)));
  };
  const get = () => download('/api/v1/smartdoc/documents/download', { documentIds: documents.map(({ id }) => id) });
  const titles = { move: words.move, labels: words.editLabels, failures: words.toBin };
  return (
    <SeveralBar count={documents.length} clear={() => pick([])}>
      {mayWrite && (
        <>
          <Button size="xs" variant="default" onClick={() => setDialog('move')}>
            {words.move}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('labels')}>
            {words.editLabels}
          </Button>
        </>
      )}
      <Button size="xs" variant="default" onClick={() => void orToast(get)}>
        {words.download}
      </Button>
      {mayWrite && (
        <Button size="xs" variant="default" onClick={() => void orToast(moveToBin)}>
          {words.toBin}
        </Button>
      )}
      <Dialog
        title={dialog && `${titles[dialog]} ${words.several(documents.length)}`}
        isOpen={dialog !== undefined}
        close={() => setDialog(undefined)}
      >
        {dialog === 'move' && <MoveForm documents={documents} close={done} />}
        {dialog === 'labels' && <LabelsForm documents={documents} close={done} />}
        {dialog === 'failures' && <Failures results={results} items={documents} />}
      </Dialog>
    </SeveralBar>
  );
}
