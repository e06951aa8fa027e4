import { Badge, Button } from '@mantine/core';
import type { Matter } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, type Versioned, versioned } from '../../api.ts';
import { BarrierSection } from '../../parts/barrier/barrier-section.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Name } from '../../parts/name.tsx';
import { Conflict, SaveError, useSave } from '../../parts/save.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { CloseMatter, ReopenMatter } from './close-matter.tsx';
import { Contents } from './contents.tsx';
import { Deadlines } from './deadlines.tsx';
import { managesMatter, readMatter, useClient } from './matter-data.ts';
import { MatterForm, type MatterValues } from './matter-form.tsx';
import { MatterPeople } from './matter-people.tsx';
import { ClientName } from './matters.tsx';
import styles from './matters.module.css';
import { matterTexts } from './texts.ts';

/** A matter: its content, its people, its barrier and its end. */
export function MatterPage(): JSX.Element {
  const { id } = useParams({ from: '/shell/matters/$id' });
  const { matters } = useTexts(commonTexts);
  const query = useQuery({ queryKey: ['matter', id], queryFn: () => readMatter(id) });
  if (query.data) return <OneMatter key={id} version={query.data} />;
  return (
    <Screen title={matters}>{query.isPending ? <Loading /> : <Failed error={query.error} retry={() => void query.refetch()} />}</Screen>
  );
}

function OneMatter({ version }: { version: Versioned<Matter> }): JSX.Element {
  const words = useTexts(matterTexts);
  const claims = useClaims();
  const { data: matter } = version;
  const isManaged = managesMatter(claims, matter);
  const isClosed = matter.status === 'closed';
  return (
    <Screen title={matter.name} actions={isManaged && (isClosed ? <ReopenMatter version={version} /> : <CloseMatter version={version} />)}>
      <div className={styles.state}>
        <Badge variant="light" color={matter.status === 'open' ? 'green' : 'gray'} radius="sm" tt="none" fw={500}>
          {words.states[matter.status]}
        </Badge>
        {matter.barrier && (
          <span className={styles.barrier}>
            <Icon name="lock" size={16} />
            {words.barred}
          </span>
        )}
        {isClosed && <span className="soft">{words.closedText}</span>}
      </div>
      <Details version={version} />
      <Contents matter={matter} />
      <Deadlines matter={matter} />
      {isManaged && <MatterPeople matter={matter} />}
      {(isManaged || matter.barrier) && (
        <BarrierSection place={{ type: 'matter', id: matter.id, name: matter.name }} isManaged={isManaged} />
      )}
    </Screen>
  );
}

function Details({ version: { data: matter, etag } }: { version: Versioned<Matter> }): JSX.Element {
  const words = useTexts(matterTexts);
  const format = useFormat();
  const client = useQueryClient();
  const claims = useClaims();
  const [isEditing, setEditing] = useState(false);
  const save = useSave<MatterValues, Matter>({
    etag,
    send: ({ name, number, practice, clientId, responsibleId, isPending }, ifMatch) => {
      const body = {
        name,
        number,
        clientId,
        practice: practice === '' ? null : practice,
        ...(responsibleId === undefined ? {} : { responsibleId }),
        ...(matter.status === 'pending' && !isPending ? { status: 'open' as const } : {}),
      };
      return versioned(api.PATCH('/api/v1/matters/{id}', { params: { path: { id: matter.id }, header: { 'If-Match': ifMatch } }, body }));
    },
    reload: () => readMatter(matter.id),
    done: (version) => {
      client.setQueryData(['matter', matter.id], version);
      void client.invalidateQueries({ queryKey: ['matter'] });
      setEditing(false);
    },
  });
  const theirs = save.conflict?.theirs.data;
  const mine = save.conflict?.mine;
  const [myClient, theirClient] = [useClient(mine?.clientId ?? undefined), useClient(theirs?.clientId)];
  const mayEdit = claims.scopes.has('matters:write') && matter.status !== 'closed' && !isEditing;
  const day = (text: string | undefined) => (text === undefined ? undefined : format.day(text));
  return (
    <Section
      title={words.details}
      actions={
        mayEdit && (
          <Button variant="default" onClick={() => setEditing(true)}>
            {words.edit}
          </Button>
        )
      }
    >
      {isEditing ? (
        <MatterForm
          matter={matter}
          mine={mine}
          verb={words.save}
          isBusy={save.isSaving}
          submit={(values) => void save.save(values)}
          cancel={() => setEditing(false)}
        >
          <SaveError save={save} />
          {theirs && mine && (
            <Conflict
              save={save}
              changedAt={theirs.updatedAt}
              differences={[
                { label: words.name, mine: mine.name, theirs: theirs.name },
                { label: words.number, mine: mine.number, theirs: theirs.number },
                { label: words.client, mine: myClient?.name, theirs: theirClient?.name },
                { label: words.practice, mine: mine.practice, theirs: theirs.practice },
              ]}
            />
          )}
        </MatterForm>
      ) : (
        <Facts
          facts={{
            [words.number]: matter.number,
            [words.client]: matter.clientId && <ClientName id={matter.clientId} />,
            [words.practice]: matter.practice,
            [words.responsible]: <Name id={matter.responsibleId} />,
            [words.opened]: day(matter.openedOn),
            [words.closed]: day(matter.closedOn),
            [words.kept]: day(matter.retainUntil),
          }}
        />
      )}
    </Section>
  );
}
