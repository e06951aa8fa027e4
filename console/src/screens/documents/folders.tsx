import { ActionIcon, Button, Menu, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Folder } from '@chancery/client';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok, page, versioned } from '../../api.ts';
import { orToast } from '../../parts/action.ts';
import { ActionForm, Dialog } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Icon } from '../../parts/icons.tsx';
import { toast } from '../../parts/toasts.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './documents.module.css';
import { HoldMark, Holds, useIsOnHold } from './holds.tsx';
import { FolderShares } from './share-form.tsx';
import { documentTexts } from './texts.ts';

const folderPath = '/api/v1/smartdoc/folders/';
/** The tree shows at most this many folders. */
const maxFolders = 1_000;

async function readFolders(): Promise<Folder[]> {
  const folders: Folder[] = [];
  let cursor: string | undefined;
  do {
    const next = await page(api.GET(folderPath, { params: { query: { limit: 100, cursor } } }));
    folders.push(...next.items);
    cursor = next.next;
  } while (cursor !== undefined && folders.length < maxFolders);
  return folders.toSorted((a, b) => a.name.localeCompare(b.name));
}

const none: readonly Folder[] = [];
/** The folders that the person can see, by name. */
export const useFolders = (): readonly Folder[] => useQuery({ queryKey: ['folder', 'list'], queryFn: readFolders }).data ?? none;

/** The folders from the root to this one. */
export function pathOf(folders: readonly Folder[], id: string | undefined): Folder[] {
  const path: Folder[] = [];
  for (let at = folders.find((one) => one.id === id); at && !path.includes(at);) {
    path.unshift(at);
    const { parentId } = at;
    at = folders.find((one) => one.id === parentId);
  }
  return path;
}

/** The folders as a tree of links, each with a button that shows the ones inside. */
export function FolderTree({ folders, current }: { folders: readonly Folder[]; current: string | undefined }): JSX.Element {
  const words = useTexts(documentTexts);
  const [isAdding, setAdding] = useState(false);
  const scopes = useClaims().scopes;
  const opened = new Set(pathOf(folders, current).map(({ id }) => id));
  const roots = folders.filter(({ parentId }) => parentId === undefined || !folders.some(({ id }) => id === parentId));
  return (
    <nav aria-label={words.folders}>
      <details className={styles.tree} open={matchMedia('(min-width: 60.01rem)').matches || undefined}>
        <summary>{words.folders}</summary>
        <ul>
          <li className={styles.folder}>
            <Link to="/documents" aria-current={current === undefined ? 'page' : undefined} activeOptions={{ exact: true }}>
              <Icon name="document" size={18} />
              {words.allDocuments}
            </Link>
          </li>
          {roots.map((folder) => (
            <FolderItem key={folder.id} folder={folder} folders={folders} current={current} opened={opened} />
          ))}
        </ul>
        <ul className={styles.more}>
          {scopes.has('documents:write') && (
            <li>
              <Button variant="subtle" size="sm" leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
                {words.newFolder}
              </Button>
            </li>
          )}
          <li className={styles.folder}>
            <Link to="/documents/bin">
              <Icon name="trash" size={18} />
              {words.bin}
            </Link>
          </li>
        </ul>
      </details>
      <NewFolder parentId={current} isOpen={isAdding} close={() => setAdding(false)} />
    </nav>
  );
}

type ItemProps = { folder: Folder; folders: readonly Folder[]; current: string | undefined; opened: ReadonlySet<string> };

function FolderItem({ folder, folders, current, opened }: ItemProps): JSX.Element {
  const words = useTexts(documentTexts);
  const [toggled, setToggled] = useState<boolean>();
  const inside = folders.filter(({ parentId }) => parentId === folder.id);
  const isOnHold = useIsOnHold();
  const isOpen = toggled ?? (opened.has(folder.id) && current !== folder.id ? true : opened.has(folder.id));
  return (
    <li>
      <div className={styles.folder}>
        <Link
          to="/documents"
          search={{ folder: folder.id }}
          aria-current={current === folder.id ? 'page' : undefined}
          activeOptions={{ exact: true }}
        >
          <Icon name={folder.barrier ? 'lock' : 'folder'} size={18} />
          {folder.name}
          {isOnHold(folder.id) && <HoldMark />}
        </Link>
        {inside.length > 0 && (
          <UnstyledButton
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-label={words.foldersIn(folder.name)}
            onClick={() => setToggled(!isOpen)}
          >
            <Icon name="next" size={16} />
          </UnstyledButton>
        )}
      </div>
      {isOpen && inside.length > 0 && (
        <ul>
          {inside.map((one) => (
            <FolderItem key={one.id} folder={one} folders={folders} current={current} opened={opened} />
          ))}
        </ul>
      )}
    </li>
  );
}

function NewFolder({ parentId, isOpen, close }: { parentId: string | undefined; isOpen: boolean; close: () => void }): JSX.Element {
  const words = useTexts(documentTexts);
  const navigate = useNavigate();
  const client = useQueryClient();
  const create = async (event: FormEvent<HTMLFormElement>) => {
    const { name } = fieldsOf(event, 'name');
    const folder = await ok(api.POST(folderPath, { body: { name, ...(parentId === undefined ? {} : { parentId }) } }));
    await client.invalidateQueries({ queryKey: ['folder'] });
    await navigate({ to: '/documents', search: { folder: folder.id } });
  };
  return (
    <Dialog title={words.newFolder} isOpen={isOpen} close={close}>
      <ActionForm verb={words.create} close={close} send={create}>
        <TextInput name="name" label={words.folderName} required maxLength={200} data-autofocus />
      </ActionForm>
    </Dialog>
  );
}

type FolderDialog = 'rename' | 'share' | 'hold';

/** The path of the open folder, and its actions. */
export function FolderActions({ folder }: { folder: Folder }): JSX.Element {
  const words = useTexts(documentTexts);
  const [dialog, setDialog] = useState<FolderDialog>();
  const close = () => setDialog(undefined);
  const titles: Record<FolderDialog, string> = {
    rename: words.rename,
    share: words.shareTitle(folder.name),
    hold: words.holdTitle(folder.name),
  };
  const client = useQueryClient();
  const navigate = useNavigate();
  const claims = useClaims();
  const { scopes } = claims;
  const isOnHold = useIsOnHold();
  const renew = () => client.invalidateQueries({ queryKey: ['folder'] });
  const moveToBin = async () => {
    await ok(api.DELETE('/api/v1/smartdoc/folders/{id}', { params: { path: { id: folder.id } } }));
    await renew();
    await navigate({ to: '/documents', search: folder.parentId === undefined ? {} : { folder: folder.parentId } });
    const undo = async () => {
      await ok(api.POST('/api/v1/smartdoc/folders/{id}/restore', { params: { path: { id: folder.id } } }));
      await renew();
    };
    toast(words.binned(folder.name), { undo: () => void orToast(undo) });
  };
  return (
    <>
      <div className={styles.folderBar}>
        <FolderPath id={folder.id} />
        {isOnHold(folder.id) && (
          <span className={styles.folderHold}>
            <Icon name="lock" size={15} />
            {words.held}
          </span>
        )}
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="default" size={32} aria-label={words.folderActions(folder.name)}>
              <Icon name="dots" size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {scopes.has('documents:write') && <Menu.Item onClick={() => setDialog('rename')}>{words.rename}</Menu.Item>}
            {scopes.has('folders:write') && <Menu.Item onClick={() => setDialog('share')}>{words.share}</Menu.Item>}
            {managesTeam(claims) && <Menu.Item onClick={() => setDialog('hold')}>{words.hold}</Menu.Item>}
            {(managesTeam(claims) || folder.userId === claims.sub) && (
              <>
                <Menu.Item component={Link} to={`/settings/barriers/${folder.id}`}>
                  {words.folderBarrier}
                </Menu.Item>
                <Menu.Item component={Link} to={`/settings/retention/${folder.id}`}>
                  {words.folderRetention}
                </Menu.Item>
              </>
            )}
            {scopes.has('documents:write') && <Menu.Item onClick={() => void orToast(moveToBin)}>{words.toBin}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      </div>
      <Dialog title={dialog && titles[dialog]} isOpen={dialog !== undefined} close={close}>
        {dialog === 'rename' && <RenameFolder folder={folder} close={close} />}
        {dialog === 'share' && <FolderShares id={folder.id} />}
        {dialog === 'hold' && <Holds target={{ folderId: folder.id }} close={close} />}
      </Dialog>
    </>
  );
}

function RenameFolder({ folder: { id, name }, close }: { folder: Folder; close: () => void }): JSX.Element {
  const words = useTexts(documentTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const rename = async (event: FormEvent<HTMLFormElement>) => {
    const body = fieldsOf(event, 'name');
    const at = { path: { id } };
    const { etag } = await versioned(api.GET('/api/v1/smartdoc/folders/{id}', { params: at }));
    await ok(api.PUT('/api/v1/smartdoc/folders/{id}', { params: { ...at, header: { 'If-Match': etag } }, body }));
    await client.invalidateQueries({ queryKey: ['folder'] });
  };
  return (
    <ActionForm verb={common.save} close={close} send={rename}>
      <TextInput name="name" label={words.folderName} required maxLength={200} defaultValue={name} data-autofocus />
    </ActionForm>
  );
}

/** The folders that lead to a folder, as links. */
export function FolderPath({ id }: { id: string | undefined }): JSX.Element {
  const words = useTexts(documentTexts);
  const path = pathOf(useFolders(), id);
  return (
    <nav className={styles.path} aria-label={words.folderPath}>
      <Link to="/documents">{words.allDocuments}</Link>
      {path.map((folder) => (
        <span key={folder.id}>
          {' / '}
          <Link to="/documents" search={{ folder: folder.id }}>
            {folder.name}
          </Link>
        </span>
      ))}
    </nav>
  );
}
