import { Button, Checkbox } from '@mantine/core';
import type { Directory } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok, type Versioned, versioned } from '../../../api.ts';
import { ConfirmButton } from '../../../parts/confirm.tsx';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Facts } from '../../../parts/facts.tsx';
import type { Principal } from '../../../parts/principal-select.tsx';
import { Conflict, SaveError, useSave } from '../../../parts/save.tsx';
import { Section } from '../../../parts/section.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { Time } from '../../../parts/time.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { commonTexts } from '../../../texts/common.ts';
import { useTexts } from '../../../texts/texts.ts';
import { SettingsPage } from '../../settings/settings-page.tsx';
import styles from '../security.module.css';
import { DirectoryFields, type DirectorySettings, settingsOf } from './directory-form.tsx';
import { RequestLog, useLog } from './request-log.tsx';
import { directoryTexts } from './texts.ts';
import { Tokens } from './tokens.tsx';
import { WaitingUsers } from './waiting-users.tsx';

const readDirectory = (id: string): Promise<Versioned<Directory>> =>
  versioned(api.GET('/api/v1/team/directories/{id}', { params: { path: { id } } }));

/** One directory: its tokens, its requests and its settings. */
export function DirectoryPage(): JSX.Element {
  const { id } = useParams({ from: '/shell/settings/directories/$id' });
  const { address } = useTexts(directoryTexts);
  const query = useQuery({ queryKey: ['directory', id], queryFn: () => readDirectory(id) });
  return (
    <SettingsPage>
      {query.isPending && <Loading />}
      {query.isError && !query.data && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <>
          <About version={query.data} />
          <Section title={address.title} text={address.text}>
            <div className={styles.values}>
              <CopyField label={address.baseUrl} value={query.data.data.baseUrl} />
            </div>
          </Section>
          <Tokens id={id} />
          <WaitingUsers id={id} />
          <RequestLog id={id} />
          <Settings version={query.data} />
        </>
      )}
    </SettingsPage>
  );
}

function About({ version: { data: directory, etag } }: { version: Versioned<Directory> }): JSX.Element {
  const words = useTexts(directoryTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isKept, setKept] = useState(true);
  const { id, name, kind, isActive, usersCount, groupsCount, pendingCount, restorableSince } = directory;
  const lastRequest = useLog(id).data?.pages[0]?.items[0]?.at;
  const remove = async () => {
    const params = { path: { id }, query: { keep: isKept }, header: { 'If-Match': etag } };
    await ok(api.DELETE('/api/v1/team/directories/{id}', { params }));
    toast(words.removed);
    await navigate({ to: '/settings/directories' });
    client.removeQueries({ queryKey: ['directory', id] });
    await client.invalidateQueries({ queryKey: ['directory'] });
  };
  const restore = async () => {
    await ok(api.POST('/api/v1/team/directories/{id}/restore', { params: { path: { id } } }));
    toast(words.restore.restored);
    await client.invalidateQueries({ queryKey: ['directory'] });
  };
  return (
    <Section
      title={name}
      actions={
        <ConfirmButton label={words.remove} title={words.removeTitle} verb={words.removeNow} action={remove}>
          <div className={styles.form}>
            <p>{words.removeText(name)}</p>
            <Checkbox
              label={words.keep}
              description={words.keepText}
              checked={isKept}
              onChange={({ currentTarget: { checked } }) => setKept(checked)}
            />
          </div>
        </ConfirmButton>
      }
    >
      {restorableSince !== undefined && (
        <div className={styles.notice}>
          <h3>{words.restore.title}</h3>
          <p>
            <Time at={restorableSince} exact />. {words.restore.text}
          </p>
          <ConfirmButton label={words.restore.restore} title={words.restore.restoreNow} verb={words.restore.restoreNow} action={restore}>
            <p>{words.restore.confirm}</p>
          </ConfirmButton>
        </div>
      )}
      <Facts
        facts={{
          [words.kind]: words.kinds[kind],
          [words.state]: isActive ? words.on : words.off,
          [words.users]: `${words.usersOf(usersCount, groupsCount)}${pendingCount > 0 ? ` · ${words.pending(pendingCount)}` : ''}`,
          [words.lastRequest]: lastRequest === undefined ? words.noRequest : <Time at={lastRequest} />,
        }}
      />
    </Section>
  );
}

function Settings({ version: { data: directory, etag } }: { version: Versioned<Directory> }): JSX.Element {
  const words = useTexts(directoryTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const { id } = directory;
  const [successor, setSuccessor] = useState<DirectorySettings['successor']>(directory.successor);
  const [successorId, setSuccessorId] = useState<Principal | null>(
    directory.successorId === undefined ? null : `user:${directory.successorId}`,
  );
  const save = useSave<DirectorySettings, Directory>({
    etag,
    send: (body, ifMatch) =>
      versioned(api.PATCH('/api/v1/team/directories/{id}', { params: { path: { id }, header: { 'If-Match': ifMatch } }, body })),
    reload: () => readDirectory(id),
    done: (version) => {
      client.setQueryData(['directory', id], version);
      setSuccessor(version.data.successor);
      void client.invalidateQueries({ queryKey: ['directory', 'list'] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save.save(settingsOf(event, successorId));
  };
  const { conflict } = save;
  const differences = conflict
    ? [
        { label: words.name, mine: conflict.mine.name, theirs: conflict.theirs.data.name },
        {
          label: words.successor,
          mine: words.successors[conflict.mine.successor],
          theirs: words.successors[conflict.theirs.data.successor],
        },
        { label: words.state, mine: stateOf(conflict.mine.isActive), theirs: stateOf(conflict.theirs.data.isActive) },
      ]
    : [];
  function stateOf(isActive: boolean): string {
    return isActive ? words.on : words.off;
  }
  return (
    <Section title={words.settings}>
      <form key={etag} className={styles.form} onSubmit={submit}>
        <DirectoryFields
          directory={directory}
          successor={successor}
          setSuccessor={setSuccessor}
          successorId={successorId}
          setSuccessorId={setSuccessorId}
        />
        <SaveError save={save} />
        {conflict && <Conflict save={save} changedAt={conflict.theirs.data.updatedAt} differences={differences} />}
        <div>
          <Button type="submit" variant="default" loading={save.isSaving}>
            {common.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}
