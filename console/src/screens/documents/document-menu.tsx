import { ActionIcon, Menu } from '@mantine/core';
import type { Document } from '@chancery/client';
import { useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { orToast } from '../../parts/action.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { download } from '../../parts/download.ts';
import { Icon } from '../../parts/icons.tsx';
import { toast } from '../../parts/toasts.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { LabelsForm, MoveForm, RenameForm } from './document-forms.tsx';
import { Holds } from './holds.tsx';
import { ShareForm } from './share-form.tsx';
import { documentTexts } from './texts.ts';

type DialogName = 'rename' | 'move' | 'labels' | 'share' | 'hold';

/** The actions of a document, in its row and on its page. `left` is called after the document went to the bin. */
export function DocumentMenu({ document, left }: { document: Document; left?: () => void }): JSX.Element {
  const words = useTexts(documentTexts);
  const common = useTexts(commonTexts);
  const [dialog, setDialog] = useState<DialogName>();
  const claims = useClaims();
  const { scopes } = claims;
  const client = useQueryClient();
  const close = () => setDialog(undefined);
  const renew = () => client.invalidateQueries({ queryKey: ['document'] });
  const moveToBin = async () => {
    await ok(api.DELETE('/api/v1/smartdoc/documents/{id}', { params: { path: { id: document.id } } }));
    const undo = async () => {
      await ok(api.POST('/api/v1/smartdoc/documents/{id}/restore', { params: { path: { id: document.id } } }));
      await renew();
    };
    toast(words.binned(document.title), { undo: () => void orToast(undo) });
    left?.();
    await renew();
  };
  const copyId = async () => {
    await navigator.clipboard.writeText(document.id);
    toast(common.copied);
  };
  const items: [text: string, run: () => void, isShown: boolean][] = [
    [words.rename, () => setDialog('rename'), scopes.has('documents:write')],
    [words.move, () => setDialog('move'), scopes.has('documents:write')],
    [words.editLabels, () => setDialog('labels'), scopes.has('documents:write')],
    [words.share, () => setDialog('share'), scopes.has('documents:write')],
    [
      words.download,
      () => void orToast(() => download(`/api/v1/smartdoc/documents/${document.id}/content`)),
      document.currentVersion !== undefined,
    ],
    [words.hold, () => setDialog('hold'), managesTeam(claims)],
    [common.copyId, () => void orToast(copyId), true],
    [words.toBin, () => void orToast(moveToBin), scopes.has('documents:write')],
  ];
  const titles: Record<DialogName, string> = {
    rename: words.rename,
    move: words.moveTitle(document.title),
    labels: words.editLabels,
    share: words.shareTitle(document.title),
    hold: words.holdTitle(document.title),
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={words.actionsOf(document.title)}>
            <Icon name="dots" size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {items.map(
            ([text, run, isShown]) =>
              isShown && (
                <Menu.Item key={text} onClick={run}>
                  {text}
                </Menu.Item>
              ),
          )}
        </Menu.Dropdown>
      </Menu>
      <Dialog title={dialog && titles[dialog]} isOpen={dialog !== undefined} close={close}>
        {dialog === 'rename' && <RenameForm id={document.id} close={close} />}
        {dialog === 'labels' && <LabelsForm documents={[document]} close={close} />}
        {dialog === 'move' && <MoveForm documents={[document]} close={close} />}
        {dialog === 'share' && <ShareForm target={{ documentId: document.id }} close={close} />}
        {dialog === 'hold' && <Holds target={{ documentId: document.id, folderId: document.folderId }} close={close} />}
      </Dialog>
    </>
  );
}
