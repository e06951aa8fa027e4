import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import type { Matter, MatterContent } from '@chancery/client';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok, page } from '../../api.ts';
import { ActionForm, Dialog } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { RowOf, Rows, Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ApiProblem } from '../../problems/api-problem.ts';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './matters.module.css';
import { matterTexts } from './texts.ts';

const pageRows = 50;
const icons: Record<MatterContent['type'], IconName> = {
  folder: 'folder',
  document: 'document',
  workflow: 'workflow',
  task: 'check',
  form: 'template',
  registry: 'template',
  signature_request: 'signature',
};

/** The folders, documents and work of a matter. */
export function Contents({ matter: { id, status } }: { matter: Matter }): JSX.Element {
  const words = useTexts(matterTexts);
  const common = useTexts(commonTexts);
  const { scopes } = useClaims();
  const [dialog, setDialog] = useState<'new' | 'add'>();
  const query = useInfiniteQuery({
    queryKey: ['matter', id, 'contents'],
    queryFn: ({ pageParam }) =>
      page(api.GET('/api/v1/matters/{id}/contents', { params: { path: { id }, query: { limit: pageRows, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const items = query.data?.pages.flatMap((one) => one.items) ?? [];
  const close = () => setDialog(undefined);
  const mayAdd = status !== 'closed' && scopes.has('matters:write') && scopes.has('folders:write');
  return (
    <Section
      title={words.contents}
      text={items.length === 0 && query.isSuccess ? words.noContents : undefined}
      actions={
        mayAdd && (
          <>
            <Button variant="default" onClick={() => setDialog('new')}>
              {words.newFolder}
            </Button>
            <Button variant="default" onClick={() => setDialog('add')}>
              {words.addFolder}
            </Button>
          </>
        )
      }
    >
      {query.isPending && <Loading rows={3} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {items.length > 0 && (
        <Rows label={words.contents}>
          {items.map((item) => (
            <ContentRow key={item.id} item={item} />
          ))}
        </Rows>
      )}
      {query.hasNextPage && (
        <div>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {common.loadMore}
          </Button>
        </div>
      )}
      <Dialog title={dialog === 'add' ? words.addFolderTitle : words.newFolder} isOpen={dialog !== undefined} close={close}>
        {dialog === 'new' && <NewFolder id={id} close={close} />}
        {dialog === 'add' && <AddFolder id={id} close={close} />}
      </Dialog>
    </Section>
  );
}

function ContentRow({ item }: { item: MatterContent }): JSX.Element {
  const words = useTexts(matterTexts);
  const { type, name, open, updatedAt } = item;
  return (
    <RowOf
      title={
        <span className={styles.name}>
          <Icon name={icons[type]} size={18} />
          <ContentLink item={item}>{name}</ContentLink>
        </span>
      }
      detail={
        <>
          {words.types[type]}
          {open && ` · ${words.open}`} · <Time at={updatedAt} />
        </>
      }
    />
  );
}

/** A link to the screen of a resource. Forms and registries have none yet. */
function ContentLink({ item: { type, id }, children }: { item: MatterContent; children: string }): JSX.Element {
  const params = { id };
  if (type === 'folder')
    return (
      <Link to="/documents" search={{ folder: id }}>
        {children}
      </Link>
    );
  if (type === 'document') return <Link {...{ to: '/documents/$id', params }}>{children}</Link>;
  if (type === 'workflow') return <Link {...{ to: '/workflows/$id', params }}>{children}</Link>;
  if (type === 'task') return <Link {...{ to: '/tasks/$id', params }}>{children}</Link>;
  if (type === 'signature_request') return <Link {...{ to: '/signatures/$id', params }}>{children}</Link>;
  return <span>{children}</span>;
}

function NewFolder({ id, close }: { id: string; close: () => void }): JSX.Element {
  const words = useTexts(matterTexts);
  const navigate = useNavigate();
  const client = useQueryClient();
  const create = async (event: FormEvent<HTMLFormElement>) => {
    const { name } = fieldsOf(event, 'name');
    const folder = await ok(api.POST('/api/v1/smartdoc/folders/', { body: { name, matterId: id } }));
    await client.invalidateQueries({ queryKey: ['matter', id] });
    await client.invalidateQueries({ queryKey: ['folder'] });
    await navigate({ to: '/documents', search: { folder: folder.id } });
  };
  return (
    <ActionForm verb={words.createFolder} close={close} send={create}>
      <TextInput name="name" label={words.folderName} required maxLength={200} data-autofocus />
    </ActionForm>
  );
}

/** The folders of one request. */
const maxFolders = 500;

/** Moves an existing folder into the matter. If more people would see it, the person confirms that. */
function AddFolder({ id, close }: { id: string; close: () => void }): JSX.Element {
  const words = useTexts(matterTexts);
  const client = useQueryClient();
  const [folder, setFolder] = useState<string | null>(null);
  const [isWider, setWider] = useState(false);
  const [isConfirmed, setConfirmed] = useState(false);
  const { data = [] } = useQuery({
    queryKey: ['folder', 'list', 'outside matters'],
    queryFn: () => ok(api.GET('/api/v1/smartdoc/folders/', { params: { query: { limit: maxFolders } } })),
  });
  const move = async () => {
    if (folder === null) return false;
    try {
      const body = { items: [{ type: 'folder' as const, id: folder }], ...(isConfirmed ? { confirm: true } : {}) };
      await ok(api.POST('/api/v1/matters/{id}/contents', { params: { path: { id } }, body }));
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'wider_audience') throw error;
      setWider(true);
      return false;
    }
    await client.invalidateQueries({ queryKey: ['matter', id] });
    await client.invalidateQueries({ queryKey: ['folder'] });
    toast(words.folderAdded);
    return true;
  };
  return (
    <ActionForm
      text={words.addFolderText}
      verb={words.moveFolder}
      isDisabled={folder === null || (isWider && !isConfirmed)}
      close={close}
      send={move}
    >
      <Select
        label={words.folder}
        searchable
        required
        data={data.filter(({ matterId }) => matterId === undefined).map((one) => ({ value: one.id, label: one.name }))}
        value={folder}
        onChange={(value) => {
          setFolder(value);
          setWider(false);
          setConfirmed(false);
        }}
        nothingFoundMessage={words.noFolder}
        comboboxProps={{ withinPortal: true }}
        data-autofocus
      />
      {isWider && (
        <>
          <p role="status">{words.wider}</p>
          <Checkbox label={words.confirmWider} checked={isConfirmed} onChange={({ currentTarget: { checked } }) => setConfirmed(checked)} />
        </>
      )}
    </ActionForm>
  );
}
