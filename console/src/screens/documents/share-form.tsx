import { Button, NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { orToast } from '../../parts/action.ts';
import { ActionForm } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Name } from '../../parts/name.tsx';
import { type Principal, principalBody, PrincipalSelect } from '../../parts/principal-select.tsx';
import { RowOf, Rows } from '../../parts/section.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './documents.module.css';
import { documentTexts } from './texts.ts';

type ShareTarget = { documentId: string } | { folderId: string };

/** Gives a member, a group or the whole team access to a document or a folder. */
export function ShareForm({ target, close }: { target: ShareTarget; close?: () => void }): JSX.Element {
  const words = useTexts(documentTexts);
  const client = useQueryClient();
  const [who, setWho] = useState<Principal | null>(null);
  const share = async (event: FormEvent<HTMLFormElement>) => {
    if (who === null) return;
    const { access } = fieldsOf(event, 'access');
    const body = { ...principalBody(who), access: access === 'write' ? ('write' as const) : ('read' as const) };
    await ('documentId' in target
      ? ok(api.POST('/api/v1/smartdoc/documents/{id}/access', { params: { path: { id: target.documentId } }, body }))
      : ok(api.POST('/api/v1/smartdoc/folders/{id}/shares', { params: { path: { id: target.folderId } }, body })));
    await client.invalidateQueries({ predicate: ({ queryKey: [type] }) => type === 'document' || type === 'folder' });
    toast(words.shared);
  };
  return (
    <ActionForm verb={words.shareNow} isDisabled={who === null} {...(close ? { close } : {})} send={share}>
      <PrincipalSelect label={words.shareWith} value={who} onChange={setWho} groups team required data-autofocus />
      <NativeSelect
        name="access"
        label={words.mayDo}
        data={[
          { value: 'read', label: words.mayRead },
          { value: 'write', label: words.mayWrite },
        ]}
      />
    </ActionForm>
  );
}

/** The shares of a folder, which also apply to its content, and a form for one more. */
export function FolderShares({ id }: { id: string }): JSX.Element {
  const words = useTexts(documentTexts);
  const client = useQueryClient();
  const { data: shares = [] } = useQuery({
    queryKey: ['folder', id, 'shares'],
    queryFn: () => ok(api.GET('/api/v1/smartdoc/folders/{id}/shares', { params: { path: { id } } })),
  });
  const end = async (shareId: string) => {
    await ok(api.DELETE('/api/v1/smartdoc/folders/{id}/shares/{shareId}', { params: { path: { id, shareId } } }));
    await client.invalidateQueries({ queryKey: ['folder'] });
    toast(words.shareEnded);
  };
  return (
    <div className={styles.dialog}>
      <p className="soft">{words.folderShareText}</p>
      {shares.length > 0 && (
        <Rows label={words.sharedWith}>
          {shares.map(({ id: share, userId, groupId, clientId, team, access }) => (
            <RowOf
              key={share}
              title={team ? words.wholeTeam : <Name id={userId ?? groupId ?? clientId} />}
              detail={access === 'write' ? words.mayWrite : words.mayRead}
              actions={
                <Button variant="default" size="xs" onClick={() => void orToast(() => end(share))}>
                  {words.endShare}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <ShareForm key={shares.length} target={{ folderId: id }} />
    </div>
  );
}
