import { Button, Textarea, TextInput } from '@mantine/core';
import type { Group } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { api, ok, type Versioned, versioned } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Conflict, SaveError, useSave } from '../../parts/save.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { GroupMembers } from './group-members.tsx';
import { groupTexts } from './group-texts.ts';
import styles from './settings.module.css';
import { settingsTexts } from './texts.ts';

const readGroup = (id: string): Promise<Versioned<Group>> => versioned(api.GET('/api/v1/groups/{id}', { params: { path: { id } } }));

/** The page of a group. */
export function GroupPage(): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(groupTexts);
  const { id = '' } = useParams({ strict: false });
  const claims = useClaims();
  const query = useQuery({ queryKey: ['group', id], queryFn: () => readGroup(id) });
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { data: group, etag } = query.data;
  const fixed = !managesTeam(claims) ? shared.onlyManagers : group.directoryId === undefined ? undefined : words.fromDirectory;
  return (
    <Screen title={group.name}>
      <nav>
        <Link to="/settings/groups">{shared.groups}</Link>
      </nav>
      <div className={styles.view}>
        {fixed === undefined ? (
          <DetailsForm key={etag} group={query.data} />
        ) : (
          <>
            {group.description !== undefined && <p>{group.description}</p>}
            <p className="soft">{fixed}</p>
          </>
        )}
        <GroupMembers groupId={group.id} mayChange={fixed === undefined} />
        {fixed === undefined && <DeleteSection group={query.data} />}
      </div>
    </Screen>
  );
}

type Details = { name: string; description: string | null };

function DetailsForm({ group: { data: group, etag } }: { group: Versioned<Group> }): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(groupTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const save = useSave<Details, Group>({
    etag,
    send: (body, ifMatch) =>
      versioned(api.PATCH('/api/v1/groups/{id}', { params: { path: { id: group.id }, header: { 'If-Match': ifMatch } }, body })),
    reload: () => readGroup(group.id),
    done: (version) => {
      client.setQueryData(['group', group.id], version);
      void client.invalidateQueries({ queryKey: ['group', 'list'] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name, description } = fieldsOf(event, 'name', 'description');
    void save.save({ name, description: description === '' ? null : description });
  };
  const { conflict } = save;
  const shown = conflict?.mine ?? group;
  return (
    <Section title={words.details}>
      <form className={styles.form} onSubmit={submit}>
        <TextInput name="name" label={shared.name} defaultValue={shown.name} maxLength={200} required />
        <Textarea
          name="description"
          label={words.description}
          defaultValue={shown.description ?? ''}
          maxLength={2_000}
          rows={2}
          resize="vertical"
        />
        <SaveError save={save} />
        {conflict && (
          <Conflict
            save={save}
            changedAt={conflict.theirs.data.updatedAt}
            differences={[
              { label: shared.name, mine: conflict.mine.name, theirs: conflict.theirs.data.name },
              { label: words.description, mine: conflict.mine.description, theirs: conflict.theirs.data.description },
            ]}
          />
        )}
        <div>
          <Button type="submit" variant="default" loading={save.isSaving}>
            {common.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}

const kindsOfUse = ['shares', 'barriers', 'tasks', 'steps', 'templates', 'policies'] as const;
/** Uses that the deletion of a group must confirm. */
const confirmedKinds = ['tasks', 'steps', 'templates', 'policies'] as const;

/** Deletes a group. The dialog says what uses the group. */
function DeleteSection({ group: { data: group, etag } }: { group: Versioned<Group> }): JSX.Element {
  const words = useTexts(groupTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const path = { id: group.id };
  const query = useQuery({
    queryKey: ['group', group.id, 'uses'],
    queryFn: () => ok(api.GET('/api/v1/groups/{id}/uses', { params: { path } })),
  });
  const uses = query.data;
  const isInUse = uses !== undefined && confirmedKinds.some((kind) => uses[kind] > 0);
  const lines = uses ? kindsOfUse.flatMap((kind) => (uses[kind] > 0 ? [words.uses[kind](uses[kind])] : [])) : [];
  const remove = async () => {
    const params = { path, header: { 'If-Match': etag }, query: isInUse ? { force: true } : {} };
    await ok(api.DELETE('/api/v1/groups/{id}', { params }));
    toast(words.deleted(group.name));
    await navigate({ to: '/settings/groups', replace: true });
    client.removeQueries({ queryKey: ['group', group.id] });
    await client.invalidateQueries({ queryKey: ['group', 'list'] });
  };
  return (
    <Section
      title={words.delete}
      text={words.deleteLine}
      actions={
        uses && (
          <ConfirmButton label={words.delete} color="red" variant="outline" title={words.deleteTitle(group.name)} action={remove}>
            {lines.length === 0 ? (
              <p>{words.noUse}</p>
            ) : (
              <div className={styles.consequence}>
                <ul>
                  {lines.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
                <p>{words.noUndo}</p>
              </div>
            )}
          </ConfirmButton>
        )
      }
    >
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
    </Section>
  );
}
