import { Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { api, ok, page } from '../../api.ts';
import { ActionForm, DialogButton } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Icon } from '../../parts/icons.tsx';
import { Name } from '../../parts/name.tsx';
import { RowOf, Rows } from '../../parts/section.tsx';
import { Failed } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './documents.module.css';
import { pathOf, useFolders } from './folders.tsx';
import { documentTexts } from './texts.ts';

const holds = '/api/v1/smartdoc/holds/';

type HoldTarget = { documentId?: string; folderId?: string | undefined };

/**
 * The active legal holds on a document or a folder and on the folders above, and a form for one more. `folderId` of a document is its folder.
 */
export function Holds({ target: { documentId, folderId }, close }: { target: HoldTarget; close: () => void }): JSX.Element {
  const words = useTexts(documentTexts);
  const above = pathOf(useFolders(), folderId).map(({ id }) => id);
  const query = useQuery({
    queryKey: ['hold', 'list', documentId, ...above],
    queryFn: async () => {
      const places = [...(documentId === undefined ? [] : [{ documentId }]), ...above.map((id) => ({ folderId: id }))];
      const found = await Promise.all(
        places.map((place) => ok(api.GET(holds, { params: { query: { ...place, status: 'standing', limit: 20 } } }))),
      );
      return found.flat();
    },
  });
  const active = query.data ?? [];
  return (
    <div className={styles.dialog}>
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {active.length > 0 && (
        <Rows label={words.activeHolds}>
          {active.map(({ id, reason, createdBy, createdAt, folderId: folder }) => (
            <RowOf
              key={id}
              title={reason}
              detail={
                <>
                  <Name id={createdBy} /> · <Time at={createdAt} />
                  {folder !== undefined && (
                    <>
                      {' '}
                      · {words.holdOnFolder} <Name id={folder} />
                    </>
                  )}
                </>
              }
              actions={
                <DialogButton label={words.liftHold} title={words.liftHold}>
                  {(closeLift) => <LiftHold id={id} close={closeLift} />}
                </DialogButton>
              }
            />
          ))}
        </Rows>
      )}
      <PlaceHold target={documentId === undefined ? { folderId: folderId ?? '' } : { documentId }} close={close} />
    </div>
  );
}

/** The sign of a legal hold. */
export function HoldMark(): JSX.Element {
  const { held } = useTexts(documentTexts);
  return (
    <span className={styles.lock} title={held}>
      <Icon name="lock" size={15} />
      <span className="apart">{held}</span>
    </span>
  );
}

/** The most holds that the folders show. */
const maxHolds = 1_000;

async function readFoldersOnHold(): Promise<ReadonlySet<string>> {
  const onHold = new Set<string>();
  let read = 0;
  let cursor: string | undefined;
  do {
    const next = await page(api.GET(holds, { params: { query: { status: 'standing', limit: 100, cursor } } }));
    for (const { folderId } of next.items) if (folderId !== undefined) onHold.add(folderId);
    read += next.items.length;
    cursor = next.next;
  } while (cursor !== undefined && read < maxHolds);
  return onHold;
}

/** Returns whether a legal hold covers a folder. The API shows holds only to the owner and administrators of the team. */
export function useIsOnHold(): (folder: string) => boolean {
  const folders = useFolders();
  const { data: onHold } = useQuery({
    queryKey: ['hold', 'list', 'folders'],
    queryFn: readFoldersOnHold,
    enabled: managesTeam(useClaims()),
  });
  return (folder) => onHold !== undefined && onHold.size > 0 && pathOf(folders, folder).some(({ id }) => onHold.has(id));
}

/** Renews what shows holds. */
function useRenew() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey: [type] }) => type === 'document' || type === 'hold' });
}

function PlaceHold({ target, close }: { target: { folderId: string } | { documentId: string }; close: () => void }): JSX.Element {
  const words = useTexts(documentTexts);
  const renew = useRenew();
  const place = async (event: FormEvent<HTMLFormElement>) => {
    await ok(api.POST(holds, { body: { ...target, ...fieldsOf(event, 'reason') } }));
    await renew();
    toast(words.holdPlaced);
  };
  return (
    <ActionForm text={words.holdText} verb={words.placeHold} close={close} send={place}>
      <Textarea name="reason" label={words.reason} required minLength={3} maxLength={500} autosize minRows={2} data-autofocus />
    </ActionForm>
  );
}

function LiftHold({ id, close }: { id: string; close: () => void }): JSX.Element {
  const words = useTexts(documentTexts);
  const renew = useRenew();
  const lift = async (event: FormEvent<HTMLFormElement>) => {
    await ok(api.POST('/api/v1/smartdoc/holds/{id}/lift', { params: { path: { id } }, body: fieldsOf(event, 'reason') }));
    await renew();
    toast(words.holdLifted);
  };
  return (
    <ActionForm text={words.liftText} verb={words.liftHold} close={close} send={lift}>
      <Textarea name="reason" label={words.liftReason} required minLength={3} maxLength={500} autosize minRows={2} data-autofocus />
    </ActionForm>
  );
}
